public import OstiaryCore

/// The server's `AuthService`: the rules of one app, on behalf of one caller. Independent of HTTP and SQL.
public struct AuthEngine: Sendable {
    /// The origin of the requests that this engine serves.
    public let caller: Caller
    /// The operation that is performed; `nil` outside of ``run(_:)``.
    private(set) var operation: OperationKind?
    /// `true` if the password of the sign-in is refused even if it is right: see decision 77.
    private(set) var refusesPassword = false
    /// The caller as the account of a guess knew it before; `nil` for an operation that judges no password.
    private(set) var recognized: RecognizedCaller?
    /// The id of the attested key whose assertion the caller presented for the operation; `nil` for none.
    private(set) var appKey: [UInt8]?
    private let shared: Shared

    /// The state common to all callers, behind one reference: each request has its own engine.
    private final class Shared: Sendable {
        let app: AppSettings
        let ports: Ports
        let renewals: SingleFlight<SessionID, Rotation>
        let upstreamSignOuts: BackgroundTasks
        let passwordChecks: BackgroundTasks
        let identifierAttempts: DistinctCounter
        let passwordAttempts: DistinctCounter
        let failingAddresses: DistinctCounter
        let usedProofs: UsedProofs

        init(app: AppSettings, ports: Ports, after earlier: Shared?) {
            self.app = app
            self.ports = ports
            let randomBytes = ports.system.randomBytes
            func counter(_ path: KeyPath<Shared, DistinctCounter>, limit: Int) -> DistinctCounter {
                earlier?[keyPath: path].limited(to: limit) ?? DistinctCounter(limit: limit, randomBytes: randomBytes)
            }
            identifierAttempts = counter(\.identifierAttempts, limit: app.stuffing.keptIdentifiers)
            passwordAttempts = counter(\.passwordAttempts, limit: app.spraying.accounts)
            failingAddresses = counter(\.failingAddresses, limit: CredentialStuffingPolicy.addresses)
            renewals = earlier?.renewals ?? SingleFlight()
            upstreamSignOuts = earlier?.upstreamSignOuts ?? BackgroundTasks()
            passwordChecks = earlier?.passwordChecks ?? BackgroundTasks()
            usedProofs = earlier?.usedProofs ?? UsedProofs()
        }
    }

    /// The settings of the app that the engine serves.
    public var app: AppSettings { shared.app }
    /// The engine's ports.
    public var ports: Ports { shared.ports }
    var renewals: SingleFlight<SessionID, Rotation> { shared.renewals }
    var upstreamSignOuts: BackgroundTasks { shared.upstreamSignOuts }
    var passwordChecks: BackgroundTasks { shared.passwordChecks }
    /// The identifiers whose sign-in failed, by network, on this node.
    var identifierAttempts: DistinctCounter { shared.identifierAttempts }
    /// The accounts whose sign-in failed, by password, on this node.
    var passwordAttempts: DistinctCounter { shared.passwordAttempts }
    /// The addresses from which a sign-in failed, by network, on this node: up to ``CredentialStuffingPolicy/addresses``.
    var failingAddresses: DistinctCounter { shared.failingAddresses }
    var usedProofs: UsedProofs { shared.usedProofs }

    /// Creates an engine for an app. Engines made of it by ``serving(_:)`` share its state.
    ///
    /// - Parameter earlier: An engine of the same app with other settings or ports. The new one shares what it has in
    ///   memory: counted attempts, used proofs and work in progress.
    public init(app: AppSettings, ports: Ports, caller: Caller = Caller(), after earlier: AuthEngine? = nil) {
        self.init(Shared(app: app, ports: ports, after: earlier?.shared), caller)
    }

    private init(_ shared: Shared, _ caller: Caller) {
        self.shared = shared
        self.caller = caller
    }

    /// Returns an engine with the same state that performs an operation.
    ///
    /// - Parameter counted: The attempt, as it was counted.
    func performing(_ operation: OperationKind, _ counted: CountedAttempt) -> AuthEngine {
        var engine = self
        engine.operation = operation
        engine.refusesPassword = counted.unrecognized?.isSprayed ?? false
        engine.recognized = counted.recognized
        return engine
    }

    /// Returns an engine with the same state for an operation with an assertion of an attested key.
    func presenting(_ appKey: [UInt8]) -> AuthEngine {
        var engine = self
        engine.appKey = appKey
        return engine
    }

    /// Returns an engine with the same state for a request from `caller`.
    public func serving(_ caller: Caller) -> AuthEngine { AuthEngine(shared, caller) }
}

/// The ports and dependencies of an engine.
public struct Ports: Sendable {
    /// The store of all persistent state.
    public var store: any Store
    /// Counts attempts of the kinds that are limited only to resist floods, in memory.
    public var inMemoryRateLimiter: InMemoryRateLimiter
    /// Seals messages for delivery.
    public var notificationSealer: any NotificationSealer
    /// Hashes and checks passwords.
    public var passwords: any PasswordHashing
    /// The passwords that are known from breaches; `nil` for an app that has no list.
    public var compromisedPasswords: (any CompromisedPasswords)?
    /// Issues and verifies access tokens.
    public var accessTokens: any AccessTokens
    /// Writes and reads refresh tokens.
    public var refreshTokens: any RefreshTokens
    /// The keys that sign access tokens and ID tokens; empty for an app that signs with a shared secret.
    public var signingKeys: [any RotatableKeys]
    /// The external identity providers, and the external credential provider, if the app has them.
    public var identities: IdentitySources
    /// The keys derived from the configured `encryption_key`.
    public var keys: KeyRing
    /// The clock, randomness and delays.
    public var system: SystemDependencies
    /// The questions to other systems; none by default.
    public var hooks: Hooks
    /// Finds the place and the operator of network addresses; `nil` where they are not known.
    public var networkLocator: (any NetworkLocator)?
    /// The failed sign-ins of networks.
    public var networkFailures: NetworkFailures
    /// Counts messages that a cap suppressed, for metrics.
    public var capHits: MessageCapHits
    /// Counts sign-ins that a limit on attacks stopped, for metrics.
    public var attackCounts: AttackCounts
    /// Counts operations by their outcome, for metrics.
    public var operationCounts: OperationCounts
    /// Logs an unexpected failure and returns the incident id it was logged under.
    public var report: @Sendable (any Error) -> String

    /// Creates the ports from their parts.
    public init(
        store: any Store, inMemoryRateLimiter: InMemoryRateLimiter, notificationSealer: any NotificationSealer,
        passwords: any PasswordHashing, compromisedPasswords: (any CompromisedPasswords)? = nil,
        accessTokens: any AccessTokens, refreshTokens: any RefreshTokens, signingKeys: [any RotatableKeys] = [],
        identities: IdentitySources = IdentitySources(), keys: KeyRing, system: SystemDependencies,
        hooks: Hooks = Hooks(), networkLocator: (any NetworkLocator)? = nil,
        networkFailures: NetworkFailures = NetworkFailures(), capHits: MessageCapHits = MessageCapHits(),
        attackCounts: AttackCounts = AttackCounts(), operationCounts: OperationCounts = OperationCounts(),
        report: @escaping @Sendable (any Error) -> String
    ) {
        self.store = store
        self.inMemoryRateLimiter = inMemoryRateLimiter
        self.notificationSealer = notificationSealer
        self.passwords = passwords
        self.compromisedPasswords = compromisedPasswords
        self.accessTokens = accessTokens
        self.refreshTokens = refreshTokens
        self.signingKeys = signingKeys
        self.identities = identities
        self.keys = keys
        self.system = system
        self.hooks = hooks
        self.networkLocator = networkLocator
        self.networkFailures = networkFailures
        self.capHits = capHits
        self.attackCounts = attackCounts
        self.operationCounts = operationCounts
        self.report = report
    }
}

extension AuthEngine: AuthService {
    /// Performs an operation of the caller.
    ///
    /// - Throws: The refusal; `AuthError.notConfigured` for an operation that the engine does not have.
    public func perform<Operation: AuthOperation>(
        _ operation: Operation
    ) async throws(AuthError) -> Operation.Answer {
        // A cast to `any EngineOperation<Operation.Answer>` would look types up by name, on every request.
        guard let performed = operation as? any EngineOperation,
            let answer = try await performed.run(in: self) as? Operation.Answer
        else { throw .notConfigured }
        return answer
    }
}

/// The requests of a browser that are not part of the contract.
extension AuthEngine {
    /// The providers that can be chosen for a sign-in, in the order in which they are offered.
    public var providerChoices: [ProviderDescription] { ports.identities.providers.map(\.description) }

    /// Returns the URL for a browser that opened the address of a social sign-in, and binds the sign-in to that
    /// browser.
    ///
    /// - Throws: `AuthError.authorizationRefused` for an id that is unknown, expired or used;
    ///   `AuthError.malformedRequest` for a caller without a browser's value.
    public func startBrowser(id: Secret<String>) async throws(AuthError) -> BrowserDestination {
        try await run(BrowserStartHandler(id: id))
    }

    /// Returns the URL for a browser that returns from a provider: the app's redirect URI, with a code or an error.
    ///
    /// - Throws: `AuthError.authorizationRefused` for a state that is unknown, expired, used, or of another browser,
    ///   and for a response of another provider: the browser must not be redirected then.
    public func returnFromProvider(_ call: ProviderReturn) async throws(AuthError) -> BrowserDestination {
        try await run(ProviderReturnHandler(call: call))
    }
}
