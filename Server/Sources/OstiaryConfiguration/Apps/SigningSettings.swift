public import OstiaryCore

/// What an app's tokens are signed with.
///
/// HS256 with `JWT_SECRET` is for vici always, and for another app only where its own section asks for it: by a
/// `jwt_secret` of its own (or `OSTIARY_APPS_NAME_JWT_SECRET`), or by `tokens: {signing: hs256}`, and then `JWT_SECRET`
/// and `JWT_REFRESH_SECRET` are the defaults of the secrets. So setting `JWT_SECRET` for vici does not take the published
/// keys away from the other apps.
public struct SigningSettings: Hashable, Sendable {
    public var algorithm = Algorithm.es256
    /// Nil with HS256 in development: to be made once and kept in the data directory.
    public var secret: Secret<String>?
    /// The same for refresh tokens that are JWTs.
    public var refreshSecret: Secret<String>?

    public enum Algorithm: String, CaseIterable, Sendable { case es256, hs256 }

    public init() {}

    /// - Parameter tokens: The section of the key `signing`.
    init(_ section: Section, tokens: Section, isVici: Bool, mode: Mode) throws(ConfigurationProblem) {
        let own = try section.setting("jwt_secret")
        let ownRefresh = try section.setting("jwt_refresh_secret")
        let signing = try tokens.setting("signing")
        algorithm = try signing?.choice() ?? (isVici || own != nil ? .hs256 : .es256)
        guard algorithm == .hs256 else {
            if isVici { throw tokens.problem("signing", "needs hs256: the contract signs with two secrets") }
            if own != nil { throw tokens.problem("signing", "needs hs256, or no jwt_secret beside it") }
            if ownRefresh != nil { throw section.problem("jwt_refresh_secret", "needs jwt_secret beside it") }
            return
        }
        let access = Self.chosen(own, "jwt_secret", "JWT_SECRET", in: section, isVici: isVici)
        let refresh = Self.chosen(ownRefresh, "jwt_refresh_secret", "JWT_REFRESH_SECRET", in: section, isVici: isVici)
        if let access { secret = try SecretStrength.check(access, mode: mode) }
        if let refresh { refreshSecret = try SecretStrength.check(refresh, mode: mode) }
        if let refresh, secret == refreshSecret {
            throw refresh.problem("needs another secret than jwt_secret")
        }
        guard mode == .production else { return }
        if secret == nil { throw section.problem("jwt_secret", Self.need("JWT_SECRET")) }
        if refreshSecret == nil, isVici { throw section.problem("jwt_refresh_secret", Self.need("JWT_REFRESH_SECRET")) }
    }

    private static func need(_ variable: String) -> String {
        "needs a secret of at least \(SecretStrength.shortest) bytes in production, here or as \(variable)"
    }

    /// The shared variable comes before the file for vici, and after everything of their own for the others.
    private static func chosen(
        _ own: Setting?, _ name: String, _ variable: String, in section: Section, isVici: Bool
    ) -> Setting? {
        let shared = section.origin.variable(variable).map {
            Setting(key: section.key(name), text: $0, place: .variable(variable), isQuoted: false)
        }
        guard let own else { return shared }
        if isVici, case .file = own.place { return shared ?? own }
        return own
    }
}
