import OstiaryCore

extension Section {
    /// The value of a key that a variable of the app's contract stands for too; nil where all leave it out.
    ///
    /// The app's own `OSTIARY_APPS_…` variable takes precedence over both, the contract says which of its variable and the
    /// file comes next.
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
