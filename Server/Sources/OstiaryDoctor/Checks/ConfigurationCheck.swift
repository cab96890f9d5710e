/// The configuration can be read, and is one for production.
package struct ConfigurationCheck: DoctorCheck {
    package static let name = "configuration"

    /// The reason that the configuration is refused; nil for a valid one.
    let problem: String?
    let isDevelopment: Bool

    package init(problem: String?, isDevelopment: Bool) {
        self.problem = problem
        self.isDevelopment = isDevelopment
    }

    package func findings() -> [DoctorFinding] {
        if let problem {
            return [
                error(
                    "configuration_invalid", "The configuration is refused: \(problem).",
                    remedy: "Correct it until ostiary config check reports ok; nothing else was checked.")
            ]
        }
        if isDevelopment {
            return [
                warning(
                    "development_mode", "The mode is development, which shows messages instead of sending them.",
                    remedy: "Set mode: production before people rely on this server.")
            ]
        }
        return [ok("The configuration is valid, and its mode is production.")]
    }
}
