import OstiaryConfiguration
import OstiaryCore
import OstiaryEngine
import OstiaryTokens

/// The tokens of an app, by its configuration.
struct AppTokens {
    let access: JWTAccessTokens
    let refresh: any RefreshTokens
    /// The keys that sign access tokens; empty where a shared secret does.
    let signingKeys: [any RotatableKeys]

    /// - Throws: ``ConfigurationProblem`` for a missing secret; ``StoreError`` above all.
    init(of app: ResolvedConfiguration.App, keys: KeyRing, resources: ServerResources) async throws {
        let (access, signingKeys) = try await Self.accessTokens(of: app, keys: keys, resources: resources)
        self.access = access
        self.signingKeys = signingKeys
        refresh = try Self.refreshTokens(of: app, keys: keys, resources: resources)
    }

    private static func accessTokens(
        of app: ResolvedConfiguration.App, keys: KeyRing, resources: ServerResources
    ) async throws -> (JWTAccessTokens, [any RotatableKeys]) {
        let (name, signing, system) = (app.settings.name, app.configuration.signing, resources.system)
        switch signing.algorithm {
        case .hs256:
            guard let secret = signing.secret ?? resources.developmentSecrets?.token(for: name) else {
                throw ConfigurationProblem(place: nil, key: "apps.\(name).jwt_secret", need: "is needed")
            }
            let tokens = try JWTAccessTokens(
                issuer: app.issuer, audience: name.text, secret: secret, earlier: signing.earlierSecrets,
                randomBytes: system.randomBytes)
            return (tokens, [])
        case .es256:
            let set = try await SigningKeys(
                app: name, store: resources.store, keyRing: keys,
                accessTokenSeconds: app.settings.rules.accessTokenSeconds, at: system.now())
            let tokens = JWTAccessTokens(
                issuer: app.issuer, audience: name.text, keys: set, randomBytes: system.randomBytes)
            return (tokens, [set])
        }
    }

    private static func refreshTokens(
        of app: ResolvedConfiguration.App, keys: KeyRing, resources: ServerResources
    ) throws -> any RefreshTokens {
        let (name, signing) = (app.settings.name, app.configuration.signing)
        switch app.settings.rules.refresh?.form {
        case .jwt:
            guard let secret = signing.refreshSecret ?? resources.developmentSecrets?.refresh(for: name) else {
                throw ConfigurationProblem(place: nil, key: "apps.\(name).jwt_refresh_secret", need: "is needed")
            }
            return try JWTRefreshTokens(
                issuer: app.issuer, audience: name.text, secret: secret, earlier: signing.earlierRefreshSecrets)
        case .opaque, nil: return OpaqueRefreshTokens(app: name, keyRing: keys)
        }
    }
}
