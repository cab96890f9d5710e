public import OstiaryCore

/// How long an app's tokens live, in seconds. Nil stands for what the contract says.
public struct TokenSettings: Hashable, Sendable {
    public var access: Int?
    public var refresh: Int?
    /// For sessions that were not asked to be remembered, where the contract makes a difference.
    public var refreshShort: Int?

    public init() {}

    /// `JWT_EXPIRES_IN_SECONDS` and `JWT_REFRESH_EXPIRES_IN_SECONDS` come before the file for vici, whose variables they
    /// are, and after it for every other app. The app's own `OSTIARY_APPS_…` variables come before both.
    init(_ section: Section, isVici: Bool) throws(ConfigurationProblem) {
        let access = try Self.lifetime("access", "JWT_EXPIRES_IN_SECONDS", in: section, isVici: isVici)
        let refresh = try Self.lifetime("refresh", "JWT_REFRESH_EXPIRES_IN_SECONDS", in: section, isVici: isVici)
        let short = try section.setting("refresh_short")
        self.access = try access?.seconds()
        self.refresh = try refresh?.seconds()
        refreshShort = try short?.seconds()

        let least = self.access ?? 1
        if let refresh, let seconds = self.refresh, seconds < least {
            throw refresh.problem("needs at least the access token's \(least) seconds")
        }
        if let short, let seconds = refreshShort {
            guard seconds >= least else { throw short.problem("needs at least the access token's \(least) seconds") }
            guard seconds <= self.refresh ?? seconds else {
                throw short.problem("needs at most the refresh token's \(self.refresh ?? seconds) seconds")
            }
        }
    }

    private static func lifetime(
        _ name: String, _ variable: String, in section: Section, isVici: Bool
    ) throws(ConfigurationProblem) -> Setting? {
        let own = try section.setting(name)
        let general = section.origin.variable(variable).map {
            Setting(key: section.key(name), text: $0, place: .variable(variable), isQuoted: false)
        }
        guard let own else { return general }
        if isVici, case .file = own.place { return general ?? own }
        return own
    }

    /// The contract's rules with these numbers in place of its own.
    ///
    /// - Throws: If a refresh token would live shorter than an access token.
    public func applied(to rules: AppRules, app: String) throws(ConfigurationProblem) -> AppRules {
        var rules = rules
        rules.accessTokenSeconds = access ?? rules.accessTokenSeconds
        guard var refreshRules = rules.refresh else { return rules }
        refreshRules.seconds = refresh ?? refreshRules.seconds
        refreshRules.shortSeconds = refreshRules.shortSeconds.map { min(refreshShort ?? $0, refreshRules.seconds) }
        guard refreshRules.seconds >= rules.accessTokenSeconds,
            refreshRules.shortSeconds ?? .max >= rules.accessTokenSeconds
        else {
            throw ConfigurationProblem(
                place: nil, key: "apps.\(app).tokens",
                need: "needs refresh tokens that live at least the access token's \(rules.accessTokenSeconds) seconds")
        }
        rules.refresh = refreshRules
        return rules
    }
}
