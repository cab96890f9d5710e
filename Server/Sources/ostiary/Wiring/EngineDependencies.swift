import Logging
import OstiaryCore
import OstiaryEngine
import OstiaryIdentities
import OstiaryStore

/// The dependencies that a server's engines share.
struct EngineDependencies {
    let resources: ServerResources
    let keys: KeyRing
    let notificationSealer: any NotificationSealer
    let networkLocator: (any NetworkLocator)?

    var store: any Store { resources.store }
    var system: SystemDependencies { resources.system }
    var log: Logger { resources.log }

    func ports(
        passwords: any PasswordHashing, compromisedPasswords: (any CompromisedPasswords)? = nil,
        accessTokens: any AccessTokens, refreshTokens: any RefreshTokens, signingKeys: [any RotatableKeys] = [],
        identities: IdentitySources = IdentitySources(), hooks: Hooks = Hooks()
    ) -> Ports {
        Ports(
            store: store, inMemoryRateLimiter: resources.inMemoryRateLimiter, notificationSealer: notificationSealer,
            passwords: passwords, compromisedPasswords: compromisedPasswords, accessTokens: accessTokens,
            refreshTokens: refreshTokens, signingKeys: signingKeys, identities: identities, keys: keys, system: system,
            hooks: hooks, networkLocator: networkLocator, networkFailures: resources.networkFailures,
            capHits: resources.capHits, attackCounts: resources.attackCounts,
            operationCounts: resources.operationCounts,
            report: { [incidents = resources.incidents] in incidents.report($0) })
    }

    /// Returns a hasher that takes as long for an unknown identifier as for an app's existing account (no timing
    /// oracle).
    func hasher(for app: AppName, cost: Int) async throws -> BcryptHasher {
        let hasher = try BcryptHasher(
            pool: resources.passwordPool, cost: cost, randomBytes: system.randomBytes,
            onDamagedHash: { [log] in
                log.error("an account's password hash is damaged", metadata: ["app": "\(app)"])
            })
        if let costliest = try await store.costliestHash(in: app) { hasher.expect(costliest) }
        return hasher
    }
}
