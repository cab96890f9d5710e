import OstiaryCore

extension Section {
    /// Returns the value of a key that a variable of the app's contract can set too; nil where it is set nowhere.
    ///
    /// The app's own `OSTIARY_APPS_…` variable takes precedence over both; the contract determines the precedence of
    /// its variable and the file.
    func setting(
        _ name: String, or variable: KeyPath<EnvironmentRules, String>, of environment: EnvironmentRules
    ) throws(ConfigurationProblem) -> Setting? {
        let own = try setting(name)
        let variable = environment[keyPath: variable]
        let shared = origin.variable(variable).map {
            Setting(key: key(name), text: $0, place: .variable(variable), isQuoted: false)
        }
        guard let own else { return shared }
        if environment.overridesFile, case .file = own.place { return shared ?? own }
        return own
    }
}
