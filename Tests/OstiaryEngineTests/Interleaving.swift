import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

/// One random sequence of events of two apps, each with two processes, and of an attacker, applied to the engine and to
/// ``SessionModel`` alike.
struct Interleaving {
    /// The tokens of a session's generation that a process or the attacker holds.
    private struct Held: Equatable {
        var session: Int
        var generation: Int
        var tokens: Tokens
    }

    /// The number of occurrences of each tested event in the sequences.
    struct Tally {
        var rotations = 0
        var replays = 0
        var thefts = 0
        var refusals = 0
    }

    private struct App {
        var kept: Held?
        /// The content and time of each process's last read: a refresh that has not arrived yet.
        var underway: [(read: Held, at: Double)?] = [nil, nil]
    }

    private let world: World
    private let email: String
    private let seed: UInt64
    private var random: SeededRandom
    private var now = 0.0
    private var sessions: [SessionModel] = []
    private var apps = [App(), App()]
    private var stolen: Held?
    /// The one refresh token of each generation of each session.
    private var texts: [[Int: Secret<String>?]] = []
    private var issued: [Held] = []
    private var tally = Tally()

    init(seed: UInt64, in world: World) {
        self.world = world
        self.seed = seed
        random = SeededRandom(seed: seed)
        email = "person\(seed)@example.com"
    }

    mutating func run(steps: Int, counting total: inout Tally) async throws {
        tally = total
        defer { total = tally }
        try await world.registered(email)
        for _ in 0..<steps { try await step() }
        try await checkEnded()
    }

    private mutating func step() async throws {
        let app = Int.random(in: 0...1, using: &random)
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<12: advance()
        case 12..<22: try await signIn(app)
        case 22..<42: beginRefresh(app)
        case 42..<72: try await deliverRefresh(app)
        case 72..<84: try await use(app)
        case 84..<85: try await signOut(app)
        case 85..<86: try await changePassword(app)
        case 86..<87: try await disableAndEnable()
        case 87..<91: steal()
        case 91..<96: try await refreshAsThief()
        default: try await useAsThief()
        }
    }

    private mutating func advance() {
        let seconds = Double([1, 5, 10, 20, 29, 30, 31, 600].randomElement(using: &random) ?? 1)
        now += seconds
        world.clock.advance(by: .seconds(seconds))
    }

    // MARK: The owner

    private mutating func signIn(_ app: Int) async throws {
        guard apps[app].kept == nil else { return }
        let tokens = try await world.signIn(email).tokens
        let settings = world.engine.app.replay
        sessions.append(SessionModel(window: Double(settings.window), isStrict: settings.isStrict))
        texts.append([0: tokens.refreshToken])
        let held = Held(session: sessions.count - 1, generation: 0, tokens: tokens)
        issued.append(held)
        apps[app] = App(kept: held)
    }

    private mutating func beginRefresh(_ app: Int) {
        let process = Int.random(in: 0...1, using: &random)
        guard let kept = apps[app].kept, apps[app].underway[process] == nil else { return }
        apps[app].underway[process] = (kept, now)
    }

    private mutating func deliverRefresh(_ app: Int) async throws {
        let waiting = [0, 1].filter { apps[app].underway[$0] != nil }
        guard let process = waiting.randomElement(using: &random), let (read, at) = apps[app].underway[process]
        else { return }
        apps[app].underway[process] = nil
        // An honest client starts again with another read.
        guard now - at < 30 else { return }
        let answer = try await present(read)
        let isLost = Int.random(in: 0..<5, using: &random) == 0
        guard !isLost, apps[app].kept == read else { return }
        if answer == nil {
            let session = sessions[read.session]
            let isExpected = session.end != .reuse || session.isStolen || session.isStrict
            #expect(isExpected, "seed \(seed): an honest client was signed out")
        }
        apps[app].kept = answer
    }

    private mutating func use(_ app: Int) async throws {
        guard let kept = apps[app].kept else { return }
        try await use(kept)
    }

    private mutating func signOut(_ app: Int) async throws {
        guard let kept = apps[app].kept else { return }
        let tokens = kept.tokens
        _ = try await world.engine.perform(
            SignOut(accessToken: tokens.accessToken, refreshToken: tokens.refreshToken))
        sessions[kept.session].finish(.signOut)
        apps[app].kept = nil
    }

    private mutating func changePassword(_ app: Int) async throws {
        guard let kept = apps[app].kept else { return }
        var tokens: Tokens?
        let actual = await refusal {
            tokens = try await world.engine.perform(
                ChangePassword(
                    accessToken: kept.tokens.accessToken, currentPassword: Secret(goodPassword),
                    newPassword: Secret(goodPassword))
            ).tokens
        }
        let expected = expectedUse(kept)
        #expect(actual == expected, "seed \(seed)")
        guard expected == nil, let tokens else { return }
        sessions[kept.session].renew()
        let generation = sessions[kept.session].current
        texts[kept.session][generation] = tokens.refreshToken
        let held = Held(session: kept.session, generation: generation, tokens: tokens)
        issued.append(held)
        apps[app].kept = held
        for session in sessions.indices where session != kept.session { sessions[session].finish(.passwordChanged) }
    }

    private mutating func disableAndEnable() async throws {
        _ = try await world.administration.setActive(false, email)
        _ = try await world.administration.setActive(true, email)
        for session in sessions.indices { sessions[session].finish(.disabled) }
    }

    // MARK: The attacker

    private mutating func steal() {
        guard let kept = apps[0].kept else { return }
        stolen = kept
    }

    private mutating func refreshAsThief() async throws {
        guard let held = stolen else { return }
        sessions[held.session].isStolen = true
        stolen = try await present(held)
    }

    private mutating func useAsThief() async throws {
        guard let held = stolen else { return }
        sessions[held.session].isStolen = true
        try await use(held)
    }

    // MARK: Both engine and model

    private mutating func present(_ held: Held) async throws -> Held? {
        let (current, isOver) = (sessions[held.session].current, sessions[held.session].end != nil)
        var expected: Int?
        var expectedRefusal: AuthError?
        do { expected = try sessions[held.session].present(held.generation, at: now) } catch {
            expectedRefusal = error
        }
        switch (expected, isOver) {
        case (nil, false) where expectedRefusal == .refreshTokenReused: tally.thefts += 1
        case (nil, false): tally.refusals += 1
        case (nil, true): tally.refusals += 1
        case (current, _): tally.replays += 1
        default: tally.rotations += 1
        }
        var tokens: Tokens?
        let actualRefusal = await refusal { tokens = try await world.refresh(held.tokens) }
        #expect(actualRefusal == expectedRefusal, "seed \(seed): generation \(held.generation)")
        guard let generation = expected, let tokens else { return nil }
        #expect(world.accessTokens.tokenClaims(tokens.accessToken)?.generation == generation, "seed \(seed)")
        let known = texts[held.session][generation]
        #expect(known == nil || known == tokens.refreshToken, "seed \(seed): two live branches")
        texts[held.session][generation] = tokens.refreshToken
        let answer = Held(session: held.session, generation: generation, tokens: tokens)
        issued.append(answer)
        return answer
    }

    private mutating func use(_ held: Held) async throws {
        let actual = await refusal { try await world.use(held.tokens) }
        #expect(actual == expectedUse(held), "seed \(seed)")
    }

    private mutating func expectedUse(_ held: Held) -> AuthError? {
        do {
            try sessions[held.session].use(held.generation, at: now)
            return nil
        } catch { return error }
    }

    /// Checks that no token of a session is accepted after the session's end.
    private mutating func checkEnded() async throws {
        for held in issued where sessions[held.session].end != nil {
            try await use(held)
            _ = try await present(held)
        }
    }
}
