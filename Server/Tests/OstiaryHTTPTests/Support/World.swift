import Crypto
import Foundation
import Logging
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryEngineTestSupport
import OstiaryHTTP
import OstiaryIdentities
import OstiaryServerTestSupport
import OstiaryStore
import OstiaryTesting
import OstiaryTokens

/// Apps assembled as the program assembles them, with a database in memory, a clock that a test advances, and a
/// recording notification sealer.
struct World {
    let clock = TestClock()
    let notificationSealer: RecordingNotificationSealer
    let log: CapturedLog
    let store: SQLiteStore
    /// The apps in the order of the contracts.
    let apps: [App]

    /// One app: a contract in front of its engine.
    struct App: Sendable {
        let name: AppName
        let contract: Contract
        let engine: AuthEngine
        let server: AppServer
        let issuer: String
    }

    /// - Parameters:
    ///   - providers: The identity providers of every app.
    ///   - social: The configuration of the providers.
    ///   - adjust: Changes an app's settings before its engine is created.
    init(
        _ contracts: [Contract] = Contract.presets, providers: [any IdentityProvider] = [],
        social: SocialConfiguration? = nil, frame: Branding? = nil,
        adjust: (inout AppSettings) -> Void = { _ in }
    ) async throws {
        let log = CapturedLog()
        self.log = log
        let system = clock.engineSystem
        store = try SQLiteStore(inMemoryWith: system)
        notificationSealer = RecordingNotificationSealer(system: system)
        let keys = KeyRing(master: SymmetricKey(data: system.randomBytes(32)))
        let logger = log.logger
        var apps: [App] = []
        for contract in contracts {
            let name = try AppName(contract.name)
            var settings = AppSettings(
                name: name, rules: contract.rules, pathPrefix: contract.prefix,
                passwordChangeRenewsTokens: contract.answersPasswordChangeWithTokens,
                passkeys: PasskeySettings(
                    relyingPartyID: "example.com", relyingPartyName: "Example", origins: ["https://example.com"]))
            if contract.rules.identifier == .subject {
                settings.redirectURIs = RedirectURIs(contract.redirectURIs)
            }
            if !providers.isEmpty { settings.redirectURIs = RedirectURIs(contract.redirectURIs) }
            adjust(&settings)
            let issuer = "https://auth.example.com/\(name)"
            let (access, refresh) = try await Self.tokens(settings, issuer, store, keys, system)
            let engine = AuthEngine(
                app: settings,
                ports: Ports(
                    store: RecordingStore(base: store, notificationSealer: notificationSealer),
                    inMemoryRateLimiter: InMemoryRateLimiter(), notificationSealer: notificationSealer,
                    passwords: try BcryptHasher(
                        pool: Hashing.pool.get(), cost: 10, randomBytes: system.randomBytes),
                    accessTokens: access, refreshTokens: refresh,
                    identities: IdentitySources(providers: providers, socialConfiguration: social), keys: keys,
                    system: system,
                    report: { Self.report($0, to: logger) }))
            let now = system.now
            let server = AppServer(
                codec: try Codec(contract), engine: engine, frame: frame,
                publicKeys: { try await access.publicKeySet(at: now()) })
            apps.append(App(name: name, contract: contract, engine: engine, server: server, issuer: issuer))
        }
        self.apps = apps
    }

    /// Returns the app with that contract.
    func app(_ contract: Contract) throws -> App {
        guard let app = apps.first(where: { $0.contract.name == contract.name }) else { throw NoSuchApp() }
        return app
    }

    struct NoSuchApp: Error {}

    /// Returns the token formats that the contract's rules require, with secrets and keys of the app's own.
    private static func tokens(
        _ settings: AppSettings, _ issuer: String, _ store: SQLiteStore, _ keys: KeyRing, _ system: SystemDependencies
    ) async throws -> (JWTAccessTokens, any RefreshTokens) {
        let name = settings.name
        func secret() -> Secret<String> { Secret(Data(system.randomBytes(32)).base64EncodedString()) }
        let access: JWTAccessTokens
        switch settings.rules.accessTokenSigning {
        case .hs256:
            access = try JWTAccessTokens(
                issuer: issuer, audience: name.text, secret: secret(), randomBytes: system.randomBytes)
        case .es256:
            let signing = try await SigningKeys(
                app: name, store: store, keyRing: keys, accessTokenSeconds: settings.rules.accessTokenSeconds,
                at: system.now())
            access = JWTAccessTokens(
                issuer: issuer, audience: name.text, keys: signing, randomBytes: system.randomBytes)
        }
        switch settings.rules.refresh?.form {
        case .jwt: return (access, try JWTRefreshTokens(issuer: issuer, audience: name.text, secret: secret()))
        case .opaque, nil: return (access, OpaqueRefreshTokens(app: name, keyRing: keys))
        }
    }

    private static func report(_ error: any Error, to logger: Logger) -> String {
        let incident = "incident-\(UInt32.random(in: .min ... .max))"
        logger.error("unexpected failure", metadata: ["incident": "\(incident)", "error": "\(error)"])
        return incident
    }
}

/// The hashing threads of all tests of the process.
private enum Hashing {
    static let pool = Result { try BcryptPool(threads: 2, queueLimit: 10_000, longestWait: .seconds(3600)) }
}
