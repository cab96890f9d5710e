import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Synchronization
import Testing

@testable import OstiaryClient

/// Whatever happens in whatever order, nobody gets another one's token, and nobody is signed out by accident.
struct InterleavingTests {
    @Test func `1,000 random interleavings of sign-in, refresh, sign-out and switch: never another account's token`()
        async throws
    {
        let seed = UInt64.random(in: 0 ... .max)
        print("interleavings: seed \(seed)")
        var random = SeededRandom(seed: seed)
        for round in 0..<1000 {
            let interleaving = try Interleaving(random: SeededRandom(seed: random.next()))
            try await interleaving.run(steps: 10)
            let problems = await interleaving.problems()
            #expect(problems == [], "round \(round), seed \(seed)")
        }
    }
}

/// Two processes of one app, a few people, and a server that knows whose every token is.
private final class Interleaving: Sendable {
    private static let people = ["ann", "bob", "cem"]

    private let server: TokenServer
    private let devices: [Device]
    private let random: Mutex<SeededRandom>
    private let found = Mutex<[String]>([])

    init(random: SeededRandom) throws {
        let server = TokenServer()
        self.server = server
        self.random = Mutex(random)
        let yields = Mutex(random)
        let network = ScriptedTransport { call throws(TransportError) in
            // Others get their turn before and after the server has done it, and some answers are lost.
            let (before, after, isLost) = yields.withLock { random in
                (
                    Int.random(in: 0..<6, using: &random), Int.random(in: 0..<6, using: &random),
                    Int.random(in: 0..<8, using: &random) == 0
                )
            }
            for _ in 0..<before { await Task.yield() }
            let answer = server.answer(call)
            for _ in 0..<after { await Task.yield() }
            if isLost { throw .connectionLost }
            return answer
        }
        let first = try Device(network: network) { $0.keepsSeveralAccounts = true }
        let second = try Device(clock: first.clock, store: first.store, network: network) {
            $0.keepsSeveralAccounts = true
        }
        devices = [first, second]
    }

    private func next(_ bound: Int) -> Int { random.withLock { Int.random(in: 0..<bound, using: &$0) } }

    func run(steps: Int) async throws {
        try await devices[0].keeper.beginSession(server.signIn("ann"), label: "ann")
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<steps {
                let (kind, device, person) = (next(10), devices[next(2)], Self.people[next(3)])
                group.addTask { await self.step(kind, device, person) }
                for _ in 0..<next(8) { await Task.yield() }
            }
        }
    }

    private func step(_ kind: Int, _ device: Device, _ person: String) async {
        switch kind {
        case 0...3: await use(device)
        case 4: device.clock.advance(by: .seconds(2000))
        case 5, 6:
            guard let signedIn = try? server.signIn(person) else { return }
            await device.keeper.beginSession(signedIn, label: person)
        case 7: _ = try? await device.client.signOut()
        case 8:
            guard let accounts = try? await device.client.savedAccounts(), !accounts.isEmpty else { return }
            try? await device.client.switchAccount(to: accounts[next(accounts.count)].id)
        default: await device.client.willEnterForeground()
        }
    }

    /// One of the app's own requests: it is somebody's, from its first token to its last.
    private func use(_ device: Device) async {
        guard let used = try? await device.keeper.token() else { return }
        guard let next = try? await device.keeper.replacement(for: used, refusal: .invalidAccessToken) else { return }
        let owners = [used, next].map { TokenServer.owner(of: $0.token.reveal()) }
        if owners[0] != owners[1] { found.withLock { $0.append("a request of \(owners[0]) went on as \(owners[1])") } }
    }

    /// What must not be, once everything has come to rest.
    func problems() async -> [String] {
        var problems = found.withLock { $0 }
        let saved = devices[0].store.saved
        for session in saved.sessions {
            for token in [session.accessToken, session.refreshToken].compactMap({ $0?.reveal() })
            where TokenServer.owner(of: token) != session.label.split(separator: "@")[0] {
                problems.append("the store has \(token) for \(session.label)")
            }
        }
        if Set(saved.sessions.map(\.accountID)).count != saved.sessions.count {
            problems.append("two sessions of one account")
        }
        for device in devices {
            if case .signedOut(.ended(let refusal)) = device.client.state {
                // Only a session that was ended on purpose may be found to be over.
                if !server.wasEndedOnPurpose { problems.append("signed out: \(refusal)") }
                continue
            }
            guard case .signedIn(let session, _) = device.client.state,
                let token = try? await device.keeper.token()
            else { continue }
            let owner = TokenServer.owner(of: token.token.reveal())
            if case .signedIn(let now, _) = device.client.state, now.id == session.id,
                owner != session.label.split(separator: "@")[0]
            {
                problems.append("\(session.label) has a token of \(owner)")
            }
        }
        return problems
    }
}

/// Knows whose every token is: `ann.3.a5` is the fifth access token of the third session, which is Ann's.
private final class TokenServer: Sendable {
    private struct State {
        var sessions = 0
        var generations: [String: Int] = [:]
        var ended: Set<String> = []
    }

    private let state = Mutex(State())

    var wasEndedOnPurpose: Bool { state.withLock { !$0.ended.isEmpty } }

    static func owner(of token: String) -> Substring { token.split(separator: ".").first ?? "" }

    private static func session(of token: String) -> String {
        token.split(separator: ".").prefix(2).joined(separator: ".")
    }

    func signIn(_ person: String) throws -> SignedIn {
        let session = state.withLock { state in
            state.sessions += 1
            state.generations["\(person).\(state.sessions)"] = 1
            return "\(person).\(state.sessions)"
        }
        return SignedIn(tokens: Self.tokens(session, 1), user: try Device.user(person))
    }

    private static func tokens(_ session: String, _ generation: Int) -> Tokens {
        Tokens(
            accessToken: Secret("\(session).a\(generation)"), expiresIn: .seconds(3600),
            refreshToken: Secret("\(session).r\(generation)"))
    }

    func answer(_ call: ScriptedTransport.Call) -> WireResponse {
        guard let codec = try? Codec(.clarity) else { return WireResponse(status: 500) }
        guard let operation = try? codec.read(call.request) else { return .ok }
        switch operation {
        case let refresh as Refresh:
            let session = Self.session(of: refresh.refreshToken.reveal())
            let generation: Int? = state.withLock { state in
                guard !state.ended.contains(session) else { return nil }
                state.generations[session, default: 0] += 1
                return state.generations[session]
            }
            guard let generation else { return codec.write(.refreshTokenRevoked) }
            return codec.write(Self.tokens(session, generation), to: .refresh)
        case let signOut as SignOut:
            state.withLock { state in
                for token in [signOut.accessToken, signOut.refreshToken].compactMap({ $0?.reveal() }) {
                    state.ended.insert(Self.session(of: token))
                }
            }
            return codec.write(Done(), to: .signOut)
        case let current as CurrentUser:
            let token = current.accessToken.reveal()
            guard !state.withLock({ $0.ended.contains(Self.session(of: token)) }),
                let user = try? Device.user(String(Self.owner(of: token)))
            else { return codec.write(.sessionRevoked) }
            return codec.write(user, to: .currentUser)
        default: return .ok
        }
    }
}
