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

    package init() {}

    /// - Parameter tokens: The section of the key `signing`.
    /// - Parameter rules: The contract's rules.
    init(_ section: Section, tokens: Section, rules: AppRules, mode: Mode) throws(ConfigurationProblem) {
        let isShared = rules.accessTokenSigning == .hs256
        let hasJWTs = rules.refresh?.form == .jwt
        let environment = rules.environment
        let own = try section.setting("jwt_secret")
        let ownRefresh = try section.setting("jwt_refresh_secret")
        let signing = try tokens.setting("signing")
        algorithm = try signing?.choice() ?? (own != nil ? .hs256 : rules.accessTokenSigning)
        if algorithm == .es256 {
            if isShared { throw tokens.problem("signing", "needs hs256: the contract signs with a shared secret") }
            if own != nil { throw tokens.problem("signing", "needs hs256, or no jwt_secret beside it") }
            guard hasJWTs else {
                if ownRefresh != nil { throw section.problem("jwt_refresh_secret", "needs jwt_secret beside it") }
                return
            }
        } else if let access = try section.setting("jwt_secret", or: \.accessTokenSecret, of: environment) {
            secret = try SecretStrength.check(access, mode: mode)
        }
        if let refresh = try section.setting("jwt_refresh_secret", or: \.refreshTokenSecret, of: environment) {
            refreshSecret = try SecretStrength.check(refresh, mode: mode)
            if secret == refreshSecret { throw refresh.problem("needs another secret than jwt_secret") }
        }
        guard mode == .production else { return }
        if algorithm == .hs256, secret == nil {
            throw section.problem("jwt_secret", Self.need(environment.accessTokenSecret))
        }
        if hasJWTs, refreshSecret == nil {
            throw section.problem("jwt_refresh_secret", Self.need(environment.refreshTokenSecret))
        }
    }

    private static func need(_ variable: String) -> String {
        "needs a secret of at least \(SecretStrength.shortest) bytes in production, here or as \(variable)"
    }
}
