package import OstiaryCore

/// The keys that sign an app's tokens.
///
/// An app signs access tokens with a shared secret where its contract requires it, or where its own section selects it:
/// by a `jwt_secret` of its own (or `OSTIARY_APPS_NAME_JWT_SECRET`), or by `tokens: {signing: hs256}`. The variables
/// that the contract names provide the secrets, and never select the algorithm: setting one app's secret leaves the
/// other apps their published keys.
package struct SigningSettings: Hashable, Sendable {
    package var algorithm = AppRules.AccessTokenSigning.es256
    /// The secret for HS256. Nil with HS256 in development, where it is then generated once and stored in the data
    /// directory.
    package var secret: Secret<String>?
    /// The secret for refresh tokens that are JWTs; in development it may be nil and is then generated likewise.
    package var refreshSecret: Secret<String>?
    /// The secrets whose access tokens are accepted too.
    package var earlierSecrets: [Secret<String>] = []
    /// The secrets whose refresh tokens are accepted too.
    package var earlierRefreshSecrets: [Secret<String>] = []

    package init() {}

    /// - Parameter tokens: The section of the key `signing`.
    /// - Parameter rules: The contract's rules.
    init(_ section: Section, tokens: Section, rules: AppRules, mode: Mode) throws(ConfigurationProblem) {
        let isShared = rules.accessTokenSigning == .hs256
        let hasJWTs = rules.refresh?.form == .jwt
        let environment = rules.environment
        let listed = try section.list("jwt_secrets")
        let listedRefresh = try section.list("jwt_refresh_secrets")
        if listed?.isEmpty == true { throw section.problem("jwt_secrets", "needs at least one secret") }
        if listedRefresh?.isEmpty == true { throw section.problem("jwt_refresh_secrets", "needs at least one secret") }
        let own = try Self.own(section.setting("jwt_secret"), listed)
        let ownRefresh = try Self.own(section.setting("jwt_refresh_secret"), listedRefresh)
        let signing = try tokens.setting("signing")
        algorithm = try signing?.choice() ?? (own != nil ? .hs256 : rules.accessTokenSigning)
        if algorithm == .es256 {
            if isShared { throw tokens.problem("signing", "needs hs256: the contract signs with a shared secret") }
            if own != nil { throw tokens.problem("signing", "needs hs256, or no jwt_secret beside it") }
            guard hasJWTs else {
                if ownRefresh != nil { throw section.problem("jwt_refresh_secret", "needs jwt_secret beside it") }
                return
            }
        } else if let listed {
            (secret, earlierSecrets) = try Self.read(listed, mode: mode)
        } else if let access = try section.setting("jwt_secret", or: \.accessTokenSecret, of: environment) {
            secret = try SecretStrength.check(access, mode: mode)
        }
        if let listedRefresh {
            (refreshSecret, earlierRefreshSecrets) = try Self.read(listedRefresh, mode: mode)
        } else if let refresh = try section.setting("jwt_refresh_secret", or: \.refreshTokenSecret, of: environment) {
            refreshSecret = try SecretStrength.check(refresh, mode: mode)
        }
        // An access token must not be a refresh token.
        let access = [secret].compactMap(\.self) + earlierSecrets
        if access.contains(where: { $0 == refreshSecret || earlierRefreshSecrets.contains($0) }) {
            throw section.problem(
                listedRefresh == nil ? "jwt_refresh_secret" : "jwt_refresh_secrets",
                "needs another secret than jwt_secret")
        }
        guard mode == .production else { return }
        if algorithm == .hs256, secret == nil {
            throw section.problem("jwt_secret", Self.need(environment.accessTokenSecret))
        }
        if hasJWTs, refreshSecret == nil {
            throw section.problem("jwt_refresh_secret", Self.need(environment.refreshTokenSecret))
        }
    }

    /// Returns the setting that an app has of its own: the single one, or the first of a list.
    private static func own(_ single: Setting?, _ list: [Setting]?) throws(ConfigurationProblem) -> Setting? {
        guard let list else { return single }
        if let single { throw single.problem("needs to be removed: \(list.first?.key ?? "the list") has all secrets") }
        return list.first
    }

    /// Reads a list of secrets: the one that signs, and those that verify only.
    private static func read(
        _ list: [Setting], mode: Mode
    ) throws(ConfigurationProblem) -> (Secret<String>?, [Secret<String>]) {
        var secrets: [Secret<String>] = []
        for setting in list {
            let secret = try SecretStrength.check(setting, mode: mode)
            guard !secrets.contains(secret) else { throw setting.problem("needs different secrets") }
            secrets.append(secret)
        }
        return (secrets.first, Array(secrets.dropFirst()))
    }

    private static func need(_ variable: String) -> String {
        "needs a secret of at least \(SecretStrength.shortest) bytes in production, here or as \(variable)"
    }
}
