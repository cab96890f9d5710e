import Crypto
import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import PostgresServer
import Testing

@testable import OstiaryStore

/// Second factors and challenges that fifty concurrent calls use, in `RACE_ROUNDS` rounds: in the store alone, and through the
/// engine. On PostgreSQL the calls go to two nodes in turn.
@Suite struct SecondFactorRaceTests {
    private static let rounds = ProcessInfo.processInfo.environment["RACE_ROUNDS"].flatMap { Int($0) } ?? 3
    private let clock = TestClock(now: noon)

    private var system: SystemDependencies {
        let clock = clock
        return SystemDependencies(
            now: { clock.now }, randomBytes: SystemDependencies.system.randomBytes,
            sleep: SystemDependencies.system.sleep)
    }

    /// Runs `body` with the nodes of a database: one of SQLite, two of PostgreSQL.
    private func withNodes(_ backend: Backend, _ body: ([any Store]) async throws -> Void) async throws {
        switch backend {
        case .postgres: try await PostgresServer.shared().withNodes(2, system: system) { try await body($0) }
        case .sqliteFile:
            try await withTemporaryDirectory { directory in
                let store = try SQLiteStore(path: directory.database, system: system)
                try await body([store])
                try await store.close()
            }
        case .memory, .sqliteMemory: try await body([MemoryStore(system: system)])
        }
    }

    private static var backends: [Backend] { Backend.allCases.filter { $0 != .sqliteMemory } }

    @Test(arguments: backends)
    func `RC-09: a time step, a recovery code and a challenge are used once in the store`(backend: Backend) async throws
    {
        try await withNodes(backend) { nodes in
            let account = try await nodes[0].addAccount()
            _ = try await nodes[0].enrol(.sample("f1", of: account))
            for round in 1...Self.rounds {
                let code: [UInt8] = [UInt8(round / 256), UInt8(round % 256)]
                let steps = try await inParallel(50) { index in
                    try await nodes[index % nodes.count].recordUse(
                        of: FactorID("f1"), of: account.id, in: account.app, counter: Int64(round), at: noon)
                }
                #expect(steps.count { $0 } == 1)
                _ = try await nodes[0].replaceRecoveryCodes(
                    of: account.id, in: account.app, with: [code], notice: nil)
                let codes = try await inParallel(50) { index in
                    try await nodes[index % nodes.count].redeemRecoveryCode(
                        code, of: account.id, in: account.app, notice: nil)
                }
                #expect(codes.count { $0 } == 1)
                let challenge = SingleUseRecord(
                    app: account.app, kind: .answeredChallenge, hash: code, payload: [], expiresAt: noon.after(300))
                let answers = try await inParallel(50) { index in
                    do { try await nodes[index % nodes.count].add(challenge) } catch StoreRefusal.alreadySpent {
                        return false
                    }
                    return true
                }
                #expect(answers.count { $0 } == 1)
            }
        }
    }

    @Test(arguments: backends)
    func `RC-09: of 50 answers with one time step, one recovery code or to one challenge, one signs in`(
        backend: Backend
    ) async throws {
        try await withNodes(backend) { nodes in
            let world = try FactorRaceWorld(nodes, system: system)
            var person = try await world.enrolled()
            for _ in 0..<Self.rounds {
                // A time step of its own, and the failures of the round before are over.
                clock.advance(by: .seconds(7200))
                let code = person.authenticator.code(at: clock.now)
                let challenges = try await world.challenges(50)
                try await expectOne { try await world.answer(challenges[$0], "totp", code, at: $0) }

                clock.advance(by: .seconds(7200))
                // A challenge offers no recovery code once the last one is used.
                if person.recoveryCodes.count < 2 {
                    person.recoveryCodes = try await world.newRecoveryCodes(person.authenticator, at: clock.now)
                    clock.advance(by: .seconds(7200))
                }
                let recovery = person.recoveryCodes.removeLast().reveal()
                let others = try await world.challenges(50)
                try await expectOne { try await world.answer(others[$0], "recovery_code", recovery, at: $0) }

                clock.advance(by: .seconds(7200))
                let current = person.authenticator.code(at: clock.now)
                let one = try await world.challenges(1)[0]
                try await expectOne { try await world.answer(one, "totp", current, at: $0) }
            }
        }
    }

    /// Makes fifty uses at once, and expects that one succeeds and the others are refused.
    private func expectOne(_ use: @escaping @Sendable (Int) async throws -> Void) async throws {
        let refusals = try await inParallel(50) { index -> String? in
            do {
                try await use(index)
                return nil
            } catch let error as AuthError {
                return error.code
            }
        }
        #expect(refusals.count { $0 == nil } == 1)
        let known: Set<String?> = [nil, "code_refused", "challenge_refused", "too_many_attempts"]
        #expect(Set(refusals).isSubset(of: known))
    }
}

/// An app with one account, on each node of a store. Tokens are plain, and passwords are not hashed.
private struct FactorRaceWorld: Sendable {
    private let engines: [AuthEngine]
    private let email: EmailAddress
    private let password = Secret("correct horse 7 battery")

    struct Person {
        var authenticator: TestAuthenticator
        var recoveryCodes: [Secret<String>]
    }

    struct Unexpected: Error {}

    init(_ nodes: [any Store], system: SystemDependencies) throws {
        email = try EmailAddress("jo@example.com")
        let limit = RateLimit(attempts: 1_000_000, perSeconds: 1)
        let all = Dictionary(uniqueKeysWithValues: AttemptKind.allCases.map { ($0, limit) })
        let app = AppSettings(
            name: try AppName("vici"), rules: AppRules(identifier: .email, refresh: RefreshRules()),
            limits: RateLimits(perAddress: all, perIdentifier: all))
        engines = nodes.map { store in
            AuthEngine(
                app: app,
                ports: Ports(
                    store: store, inMemoryRateLimiter: InMemoryRateLimiter(),
                    notificationSealer: Sealer(system: system),
                    passwords: PlainPasswords(), accessTokens: PlainTokens(), refreshTokens: PlainTokens(),
                    keys: KeyRing(master: SymmetricKey(data: Data(repeating: 7, count: 32))), system: system,
                    report: { "\($0)" }))
        }
    }

    /// Registers the person, who adds an authenticator app.
    func enrolled() async throws -> Person {
        let signedIn = try await engines[0].perform(Register(email: email, password: password))
        let token = signedIn.tokens.accessToken
        let pending = try await engines[0].perform(BeginTOTP(accessToken: token))
        guard let app = TestAuthenticator(uri: pending.uri.reveal()) else { throw Unexpected() }
        let confirmed = try await engines[0].perform(
            ConfirmTOTP(
                accessToken: token, factorID: pending.factorID, code: OneTimeCode(app.code(at: noon)), name: nil))
        return Person(authenticator: app, recoveryCodes: confirmed.added?.codes ?? [])
    }

    /// Signs in with the password so many times, and returns the challenges.
    func challenges(_ count: Int) async throws -> [Challenge] {
        try await inParallel(count) { index in
            do {
                _ = try await engines[index % engines.count].perform(
                    SignIn(identifier: .email(email), password: password))
                throw Unexpected()
            } catch AuthError.challengeRequired(let challenge) {
                return challenge
            }
        }
    }

    @discardableResult
    func answer(_ challenge: Challenge, _ method: String, _ text: String, at node: Int) async throws -> SignedIn {
        try await engines[node % engines.count].perform(
            AnswerChallenge(challengeToken: challenge.token, answers: [method: Secret(text)]))
    }

    func newRecoveryCodes(_ authenticator: TestAuthenticator, at now: Date) async throws -> [Secret<String>] {
        let signedIn = try await answer(challenges(1)[0], "totp", authenticator.code(at: now), at: 0)
        return try await engines[0].perform(
            ReplaceRecoveryCodes(accessToken: signedIn.tokens.accessToken)
        ).codes ?? []
    }
}

private struct PlainPasswords: PasswordHashing {
    func hash(_ password: Secret<String>) async throws(AuthError) -> String { password.reveal() }
    func check(_ password: Secret<String>, against hash: String?) async throws(AuthError) -> PasswordMatch {
        hash?.utf8.elementsEqual(password.reveal().utf8) == true ? .matches : .differs
    }
    func expect(_ hash: String) {}
    func canImport(_ hash: String) -> Bool { true }
}

/// Tokens that are the session's id and the subject.
private struct PlainTokens: AccessTokens, RefreshTokens {
    func issue(_ grant: AccessTokenRequest) async throws -> Secret<String> {
        Secret("\(grant.session) \(grant.subject)")
    }
    func read(_ token: Secret<String>, at now: Date) async throws -> AccessTokenClaims? {
        let parts = token.reveal().split(separator: " ").map(String.init)
        return try AccessTokenClaims(
            subject: parts[1], session: SessionID(parts[0]), generation: 0, expiresAt: .distantFuture)
    }
    func write(_ tokenClaims: RefreshTokenClaims) -> Secret<String> { Secret(tokenClaims.session.text) }
    func read(_ token: Secret<String>) -> RefreshTokenContent? {
        (try? SessionID(token.reveal())).map { RefreshTokenContent(session: $0, generation: 0) }
    }
}

private struct Sealer: NotificationSealer {
    let system: SystemDependencies
    func seal(_ notice: NotificationContent, to recipient: Recipient, app: AppName) async throws -> QueuedMessage {
        QueuedMessage(id: system.uuid(), app: app, createdAt: system.now(), sealed: [])
    }
    func describe(_ message: QueuedMessage) throws -> MessageDescription? { nil }
    func wake() {}
}
