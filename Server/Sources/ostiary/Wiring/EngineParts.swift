import Logging
import OstiaryCore
import OstiaryEngine
import OstiaryIdentities
import OstiaryStore

/// What the engines of a server share.
struct EngineParts {
    let store: any Store
    let keys: KeyRing
    let courier: any Courier
    let pool: BcryptPool
    let floods: VolatileAttempts
    let surroundings: Surroundings
    let log: Logger

    func ports(
        passwords: any PasswordHashing, accessTokens: any AccessTokens, refreshTokens: any RefreshTokens,
        identities: IdentitySources = IdentitySources()
    ) -> Ports {
        Ports(
            accounts: store, sessions: store, codes: store, resetTokens: store, tickets: store, attempts: store,
            floods: floods, audit: store, courier: courier, passwords: passwords, accessTokens: accessTokens,
            refreshTokens: refreshTokens, identities: identities, keys: keys, surroundings: surroundings,
            report: { [log] in Self.report($0, log: log) })
    }

    /// A hasher that takes as long over strangers as over an app's own people.
    func hasher(for app: AppName, cost: Int) async throws -> BcryptHasher {
        let hasher = try BcryptHasher(
            pool: pool, cost: cost, randomBytes: surroundings.randomBytes,
            onDamagedHash: { [log] in
                log.error("an account's password hash is damaged", metadata: ["app": "\(app)"])
            })
        if let costliest = try await store.costliestHash(in: app) { hasher.expect(costliest) }
        return hasher
    }

    /// Logs the cause of an unexpected failure under an id that the caller is told.
    private static func report(_ error: any Error, log: Logger) -> String {
        let incident = String(UInt32.random(in: .min ... .max), radix: 16)
        log.error("unexpected failure", metadata: ["incident": "\(incident)", "error": "\(error)"])
        return incident
    }
}
