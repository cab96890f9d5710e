import Crypto
import Foundation
import Logging
import OstiaryConfiguration
import OstiaryContracts
import OstiaryCore
import OstiaryDelivery
import OstiaryEngine
import OstiaryIdentities
import OstiaryStore
import OstiaryTokens

/// Everything behind the wire: the store, and an engine for each app. What `serve` and the commands have in common.
struct Backend {
    let plan: Plan
    let store: SQLiteStore
    let engines: [AppName: AuthEngine]
    let accessTokens: [AppName: JWTAccessTokens]
    /// Empty for apps that sign with a shared secret.
    let signingKeys: [AppName: SigningKeys]
    let delivery: DeliveryWorker
    let surroundings: Surroundings

    /// Opens the store, and makes data directory, database and development secrets if they are not there.
    ///
    /// - Throws: ``StoreError`` above all.
    init(_ plan: Plan, surroundings: Surroundings = .system, log: Logger) async throws {
        let directory = try DataDirectory(making: plan.configuration.dataDirectory)
        let path =
            switch plan.configuration.store {
            case .sqlite(let path): path
            }
        let store = try SQLiteStore(path: path, surroundings: surroundings)
        // Only after the database is locked: two starting servers would make two sets of secrets.
        let secrets =
            plan.configuration.mode == .development ? try directory.developmentSecrets(surroundings) : nil
        guard let encryptionKey = plan.configuration.encryptionKey?.reveal() ?? secrets.map({ Array($0.encryptionKey) })
        else { throw ConfigurationProblem(place: nil, key: "encryption_key", need: "needs 32 bytes in base64") }
        let keys = KeyRing(master: SymmetricKey(data: encryptionKey))

        let signal = OutboxSignal()
        let courier = Outbox(store: store, keys: keys, surroundings: surroundings, signal: signal)
        let pool = try BcryptPool()
        let floods = VolatileAttempts()
        var engines: [AppName: AuthEngine] = [:]
        var accessTokens: [AppName: JWTAccessTokens] = [:]
        var signingKeys: [AppName: SigningKeys] = [:]
        for app in plan.apps {
            let name = app.settings.name
            let signing = app.configuration.signing
            let access: JWTAccessTokens
            switch signing.algorithm {
            case .hs256:
                guard let secret = signing.secret ?? secrets?.token(for: name) else {
                    throw ConfigurationProblem(place: nil, key: "apps.\(name).jwt_secret", need: "is needed")
                }
                access = try JWTAccessTokens(
                    issuer: app.issuer, audience: name.text, secret: secret, randomBytes: surroundings.randomBytes)
            case .es256:
                let set = try await SigningKeys(
                    app: name, store: store, keyRing: keys,
                    accessTokenSeconds: app.settings.rules.accessTokenSeconds, at: surroundings.now())
                signingKeys[name] = set
                access = JWTAccessTokens(
                    issuer: app.issuer, audience: name.text, keys: set, randomBytes: surroundings.randomBytes)
            }
            accessTokens[name] = access
            let refresh: any RefreshTokens
            switch app.settings.rules.refresh?.form {
            case .jwt:
                guard let secret = signing.refreshSecret ?? secrets?.refresh(for: name) else {
                    throw ConfigurationProblem(place: nil, key: "apps.\(name).jwt_refresh_secret", need: "is needed")
                }
                refresh = try JWTRefreshTokens(issuer: app.issuer, audience: name.text, secret: secret)
            case .opaque, nil: refresh = OpaqueRefreshTokens(app: name, keyRing: keys)
            }
            let hasher = try BcryptHasher(
                pool: pool, cost: app.configuration.bcryptCost, randomBytes: surroundings.randomBytes,
                onDamagedHash: { log.error("an account's password hash is damaged", metadata: ["app": "\(name)"]) })
            if let costliest = try await store.costliestHash(in: name) { hasher.expect(costliest) }
            engines[name] = AuthEngine(
                app: app.settings,
                ports: Ports(
                    accounts: store, sessions: store, codes: store, resetTokens: store, tickets: store, attempts: store,
                    floods: floods, audit: store, courier: courier, passwords: hasher, accessTokens: access,
                    refreshTokens: refresh, keys: keys, surroundings: surroundings,
                    report: { Self.report($0, log: log) }))
        }
        self.plan = plan
        self.store = store
        self.engines = engines
        self.accessTokens = accessTokens
        self.signingKeys = signingKeys
        self.surroundings = surroundings
        delivery = DeliveryWorker(
            store: store, keys: keys, surroundings: surroundings, signal: signal, routes: plan.routes,
            apps: try Self.presentations(plan), logger: log)
    }

    private static func presentations(_ plan: Plan) throws -> [AppName: AppPresentation] {
        var presentations: [AppName: AppPresentation] = [:]
        for app in plan.apps {
            guard let base = URL(string: app.baseURL) else { continue }
            presentations[app.settings.name] = try AppPresentation(
                displayName: app.settings.name.text.capitalized, linkBase: base)
        }
        return presentations
    }

    /// Logs the cause of an unexpected failure under an id that the caller is told.
    private static func report(_ error: any Error, log: Logger) -> String {
        let incident = String(UInt32.random(in: .min ... .max), radix: 16)
        log.error("unexpected failure", metadata: ["incident": "\(incident)", "error": "\(error)"])
        return incident
    }
}
