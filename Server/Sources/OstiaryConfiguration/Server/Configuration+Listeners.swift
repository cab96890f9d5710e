extension Configuration {
    /// Refuses to expose development mode, whose pages show every message, to other machines by mistake.
    ///
    /// - Parameter isDevelopmentConfirmed: `true` if `--development` is on the command line.
    package func checkListeners(isDevelopmentConfirmed: Bool) throws(ConfigurationProblem) {
        guard mode == .development else {
            guard isDevelopmentConfirmed else { return }
            throw ConfigurationProblem(
                place: .option("--development"), key: "", need: "needs mode: development, not production")
        }
        guard !isDevelopmentConfirmed else { return }
        for (key, address) in [("listen", listen), ("admin.listen", adminListen)] {
            guard let address, !address.isLoopback else { continue }
            throw ConfigurationProblem(
                place: nil, key: key,
                need: "needs a loopback address in development mode; for production write a configuration with "
                    + "mode: production, to try out from other machines start with --development")
        }
    }
}
