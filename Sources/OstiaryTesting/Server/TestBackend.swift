import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import Synchronization

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// The engine of a test server and the engine's ports.
struct TestBackend: Sendable {
    let app: AppName
    let store: MemoryStore
    let notificationSealer: TestNotificationSealer
    let passwords = TestPasswordHasher()
    let credentialProvider: TestCredentialProvider
    let providers: [TestIdentityProvider]
    private let engine: AuthEngine
    /// The same engine for accounts with a challenge: only an external credential provider can require a further step.
    private let challengingEngine: AuthEngine

    init(_ contract: Contract, rules: TestServerRules, clock: TestClock, baseURL: String, seed: UInt64) throws {
        app = try AppName(contract.name)
        let system = Self.system(clock, seed: seed)
        store = MemoryStore(system: system)
        notificationSealer = TestNotificationSealer(system)
        credentialProvider = TestCredentialProvider(store, app: app, passwords: passwords, system)
        let offered = rules.providers ?? Self.suggestedProviders(contract)
        providers = offered.map { TestIdentityProvider($0, system) }
        let tokens = TestTokens(system)
        let keys = KeyRing(master: SymmetricKey(data: Data(system.randomBytes(32))))
        let usesWebTokens = contract.rules.refresh?.form == .jwt
        var ports = Ports(
            store: store, inMemoryRateLimiter: InMemoryRateLimiter(), notificationSealer: notificationSealer,
            passwords: passwords, accessTokens: tokens,
            refreshTokens: usesWebTokens ? tokens : OpaqueRefreshTokens(app: app, keyRing: keys),
            identities: IdentitySources(
                providers: providers, socialConfiguration: offered.first?.configuration),
            keys: keys, system: system, report: { "test: \($0)" })
        let settings = AppSettings(contract, app: app, rules: rules)
        // All browsers share one identity, and each request reached the server at its own address.
        let caller = Caller(browser: Secret("browser"), baseURL: baseURL)
        engine = AuthEngine(app: settings, ports: ports, caller: caller)
        ports.identities.credentialProvider = credentialProvider
        challengingEngine = AuthEngine(app: settings, ports: ports, caller: caller)
    }

    /// The engine for everything except account operations.
    var service: AuthEngine { engine }

    /// - Parameters:
    ///   - deviceToken: The secret of a remembered device, if the request presents one.
    ///   - proof: The proof of possession, if the request presents one.
    ///   - appAssertion: The assertion of App Attest, if the request presents one.
    func service(
        for operation: any AuthOperation, presenting deviceToken: Secret<String>? = nil, _ proof: PresentedProof? = nil,
        appAssertion: PresentedAppAssertion? = nil
    ) -> AuthEngine {
        let engine = engine(for: operation)
        guard deviceToken != nil || proof != nil || appAssertion != nil else { return engine }
        var caller = engine.caller
        caller.deviceToken = deviceToken
        caller.dpopProof = proof
        caller.appAssertion = appAssertion
        return engine.serving(caller)
    }

    /// Returns the engine for a request of the app's own.
    func service(presenting proof: PresentedProof?) -> AuthEngine {
        var caller = engine.caller
        caller.dpopProof = proof
        return engine.serving(caller)
    }

    private func engine(for operation: any AuthOperation) -> AuthEngine {
        switch operation {
        case let call as SignIn:
            let account = store.account(identifiedBy: call.identifier, in: app)
            return account.map { credentialProvider.isChallenged($0.id) } ?? false ? challengingEngine : engine
        case let call as AnswerChallenge where engine.isProviderStep(call.challengeToken): return challengingEngine
        default: return engine
        }
    }

    func provider(named name: String?) -> TestIdentityProvider? {
        guard let name else { return providers.first }
        return providers.first { $0.provider.name.utf8.elementsEqual(name.utf8) }
    }

    private static func system(_ clock: TestClock, seed: UInt64) -> SystemDependencies {
        let random = SeededBytes(seed: seed)
        return SystemDependencies(
            now: { clock.now }, randomBytes: { random.bytes($0) }, sleep: { try await clock.sleep(for: $0) })
    }

    private static func suggestedProviders(_ contract: Contract) -> [TestProvider] {
        if contract.rules.identifier == .subject { return [TestProvider(name: "oidc")] }
        guard !contract.socialProviders.isEmpty else { return [] }
        return [
            TestProvider(
                name: "auth0", services: contract.socialProviders, returnsToApp: true,
                configuration: SocialConfiguration(
                    domain: "auth0.test.example.com", clientID: "test-client", audience: "test-audience"))
        ]
    }
}

extension TestServerRules.SessionBinding {
    fileprivate var requirement: DPoPSettings.Requirement {
        switch self {
        case .off: .off
        case .accepted: .accepted
        case .required: .required
        }
    }
}

extension AppSettings {
    fileprivate init(_ contract: Contract, app: AppName, rules: TestServerRules) {
        self.init(
            name: app, rules: contract.rules, redirectURIs: RedirectURIs(contract.redirectURIs),
            pathPrefix: contract.prefix, browserSeconds: rules.browserSeconds,
            sessions: SessionPolicy(absoluteSeconds: rules.sessionSeconds),
            replay: ReplayPolicy(window: rules.replaySeconds, isStrict: rules.isStrict),
            codes: CodePolicy(
                lifetimeSeconds: rules.codeSeconds, tries: rules.codeTries,
                resendAfterSeconds: rules.codeCooldownSeconds),
            resets: ResetPolicy(lifetimeSeconds: rules.resetSeconds, silentSeconds: rules.resetCooldownSeconds),
            messages: MessageCaps(
                perRecipientDay: 1_000_000, perPrefixHour: 1_000_000, perNetworkHour: 1_000_000,
                perServerHour: 1_000_000),
            registrations: RegistrationCaps(perNetworkDay: 1_000_000, perServerHour: 1_000_000),
            registersSafely: rules.registersSafely, requestSigning: rules.issuesSigningKeys ? .accepted : .off,
            dpop: DPoPSettings(requirement: rules.sessionBinding.requirement),
            passwordChangeRenewsTokens: contract.answersPasswordChangeWithTokens,
            secondFactor: SecondFactorPolicy(
                requirement: rules.requiresSecondFactor ? .required : .optional,
                rememberDeviceDays: rules.rememberDeviceDays),
            passkeys: rules.passkeyDomain.map {
                PasskeySettings(relyingPartyID: $0, relyingPartyName: $0, origins: ["https://\($0)"])
            },
            appAttest: rules.appAttest.settings, roles: RoleDefinitions(rules.roles), attributes: rules.attributes)
        limits.perAddress = [:]
        limits.perIdentifier = [:]
        if let seconds = rules.accessTokenSeconds { self.rules.accessTokenSeconds = seconds }
    }
}

/// Random bytes that are determined by their seed.
private final class SeededBytes: Sendable {
    private let random: Mutex<SeededRandom>

    init(seed: UInt64) { random = Mutex(SeededRandom(seed: seed)) }

    func bytes(_ count: Int) -> [UInt8] {
        random.withLock { random in (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) } }
    }
}
