import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryTesting

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// A server of one app in which only the rules and the store are real: the clock stands still, randomness has a seed,
/// messages are collected, hashing is counted, and every call of the store can be observed and made to fail.
struct World: Sendable {
    let clock: TestClock
    let hasher = CountingHasher()
    let failures = FailureLog()
    let accessTokens: ListedAccessTokens
    let naps = Naps()
    let store: WatchedStore
    let notificationSealer: CollectingNotificationSealer
    let engine: AuthEngine

    /// - Parameter other: Another server of the same store, clock and signing keys; its app can have other settings.
    init(
        _ name: String = "sample", _ rules: AppRules, seed: UInt64 = 1, master: UInt8 = 7, sharing other: World? = nil,
        identities: IdentitySources = IdentitySources(), compromisedPasswords: (any CompromisedPasswords)? = nil,
        hooks: Hooks = Hooks(), networkLocator: (any NetworkLocator)? = nil,
        _ change: (inout AppSettings) -> Void = { _ in }
    ) throws {
        let randomness = SeededRandomness(seed: seed)
        let clock = other?.clock ?? TestClock(now: Date(timeIntervalSince1970: 1_800_000_000.2504))
        self.clock = clock
        accessTokens = other?.accessTokens ?? ListedAccessTokens()
        let failures = failures
        let naps = naps
        let system = SystemDependencies(
            now: { clock.now }, randomBytes: { randomness.bytes($0) }, sleep: { try await naps.take($0) })
        store = other?.store ?? WatchedStore(MemoryStore(system: system))
        notificationSealer = CollectingNotificationSealer(store: store, system: system)
        var app = AppSettings(name: try AppName(name), rules: rules)
        change(&app)
        engine = AuthEngine(
            app: app,
            ports: Ports(
                store: store, inMemoryRateLimiter: InMemoryRateLimiter(), notificationSealer: notificationSealer,
                passwords: hasher, compromisedPasswords: compromisedPasswords,
                accessTokens: accessTokens, refreshTokens: PlainRefreshTokens(),
                identities: identities,
                keys: KeyRing(master: SymmetricKey(data: Data(repeating: master, count: 32))),
                system: system, hooks: hooks, networkLocator: networkLocator, report: { failures.add($0) }))
    }

    // MARK: Apps, with the rules of their contracts

    static func vici(_ change: (inout AppSettings) -> Void = { _ in }) throws -> World {
        try World("vici", .vici, change)
    }
    static func clarity(_ change: (inout AppSettings) -> Void = { _ in }) throws -> World {
        try World("clarity", .clarity, change)
    }
    static func barqnet(_ change: (inout AppSettings) -> Void = { _ in }) throws -> World {
        try World("barqnet", .barqnet, change)
    }
    static func viewvault(_ change: (inout AppSettings) -> Void = { _ in }) throws -> World {
        try World("viewvault", .viewvault, change)
    }

    static func timetracker(
        _ identities: IdentitySources, _ change: (inout AppSettings) -> Void = { _ in }
    ) throws -> World {
        try World("timetracker", .timetracker, identities: identities, change)
    }

    var administration: Administration { Administration(engine: engine, actor: .commandLine(user: "operator")) }

    // MARK: Frequent actions of tests

    /// Registers a person, and returns the sign-in that results.
    @discardableResult
    func registered(_ email: String = ada, password: String = goodPassword) async throws -> SignedIn {
        try await engine.perform(Register(email: EmailAddress(email), password: Secret(password), rememberMe: true))
    }

    func signIn(_ email: String = ada, password: String = goodPassword, rememberMe: Bool = false) async throws
        -> SignedIn
    {
        try await engine.perform(
            SignIn(identifier: .email(EmailAddress(email)), password: Secret(password), rememberMe: rememberMe))
    }

    /// Presents a refresh token.
    func refresh(_ tokens: Tokens) async throws -> Tokens {
        try await engine.perform(Refresh(refreshToken: tokens.refreshToken ?? Secret("")))
    }

    /// Presents an access token.
    @discardableResult
    func use(_ tokens: Tokens) async throws -> User {
        try await engine.perform(CurrentUser(accessToken: tokens.accessToken))
    }

    /// The session that tokens belong to.
    func session(of tokens: Tokens) async throws -> Session? {
        guard let tokenClaims = accessTokens.tokenClaims(tokens.accessToken) else { return nil }
        return try await store.session(tokenClaims.session, in: engine.app.name)?.session
    }

    func account(_ email: String = ada) async throws -> Account? {
        try await store.account(identifiedBy: .email(EmailAddress(email)), in: engine.app.name)
    }

    /// The audit log.
    func events() async throws -> [AuditEvent] {
        try await store.events(in: engine.app.name, since: nil, after: nil, limit: 10_000).map(\.event)
    }

    /// Requests a code and returns it from the message.
    func codeSent(to number: PhoneNumber) async throws -> (code: OneTimeCode, session: String) {
        let session = try await engine.perform(RequestCode(phoneNumber: number)).codeSession
        guard case .oneTimeCode(let code, _)? = notificationSealer.messages.last?.notice else { throw NothingCame() }
        return (code, session)
    }

    /// Requests a reset and returns the token from the message.
    func resetToken(sentTo email: String = ada) async throws -> Secret<String> {
        _ = try await engine.perform(RequestPasswordReset(email: EmailAddress(email)))
        switch notificationSealer.messages.last?.notice {
        case .passwordReset(let token, _), .accountRecovery(_, let token, _): return token
        default: throw NothingCame()
        }
    }

    struct NothingCame: Error {}
}

let ada = "ada@example.com"
let goodPassword = "correct horse battery"
let otherPassword = "another horse battery"

extension AppRules {
    static let timetracker = AppRules(identifier: .subject)
    static let vici = AppRules(identifier: .email, refresh: RefreshRules(seconds: 604_800, form: .jwt))
    static let clarity = AppRules(identifier: .email, refresh: RefreshRules(seconds: 2_592_000, shortSeconds: 86_400))
    static let barqnet = AppRules(identifier: .phoneNumber, registersWithCode: true, refresh: RefreshRules())
    static let viewvault = AppRules(
        identifier: .username, accountIDs: .integer,
        claims: ClaimRules(subject: .username, includesProfile: true))
}

extension RateLimits {
    /// Limits that tests of other subjects do not reach with many requests.
    static let generous: RateLimits = {
        let limit = RateLimit(attempts: 1_000_000, perSeconds: 1)
        let all = Dictionary(uniqueKeysWithValues: AttemptKind.allCases.map { ($0, limit) })
        return RateLimits(perAddress: all, perIdentifier: all)
    }()
}

extension MessageCaps {
    /// Caps that tests of other subjects do not reach with many messages.
    static let generous = MessageCaps(
        perRecipientDay: 1_000_000, perPrefixHour: 1_000_000, perNetworkHour: 1_000_000, perServerHour: 1_000_000)
}

/// Runs `body` so many times concurrently.
func inParallel<Value: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (Int) async -> Value
) async -> [Value] {
    await withTaskGroup(of: Value.self) { group in
        for index in 0..<count { group.addTask { await body(index) } }
        return await group.reduce(into: []) { $0.append($1) }
    }
}

/// Returns the refusal of an operation; nil if it succeeds.
func refusal<Value>(of body: () async throws -> Value) async -> AuthError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? AuthError ?? .rejected(status: 0, message: "\(error)")
    }
}
