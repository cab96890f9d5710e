package import OstiaryCore

/// The lifetimes of an app's tokens, in seconds. Nil for the contract's.
package struct TokenSettings: Hashable, Sendable {
    package var access: Int?
    package var refresh: Int?
    /// The lifetime for sessions without "remember me", where the contract distinguishes them.
    package var refreshShort: Int?

    package init() {}

    /// - Parameter environment: The contract's variables, which can set the lifetimes too.
    init(_ section: Section, environment: EnvironmentRules) throws(ConfigurationProblem) {
        let access = try section.setting("access", or: \.accessTokenSeconds, of: environment)
        let refresh = try section.setting("refresh", or: \.refreshTokenSeconds, of: environment)
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

    /// Returns the contract's rules with these lifetimes in place of its own.
    ///
    /// - Throws: If a refresh token's lifetime would be shorter than an access token's.
    package func applied(to rules: AppRules, app: String) throws(ConfigurationProblem) -> AppRules {
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
