/// A key in an environment variable of the process: for servers and containers, which have no desktop.
struct EnvironmentKey: SealingKeySource {
    static let variable = "OSTIARY_SESSION_KEY"

    let name = "environment"
    private let stored: SealingKey?

    /// Reads the variable.
    ///
    /// - Returns: `nil` if the variable is not set. An empty variable counts as a malformed key, so that a forgotten
    ///   secret is reported.
    init?(_ environment: [String: String]) {
        guard let text = environment[Self.variable] else { return nil }
        stored = SealingKey(text: text)
    }

    func key() async throws(StoreProblem) -> SealingKey? {
        guard let stored else { throw .sealingKey(.malformed, source: name) }
        return stored
    }

    func makeKey() async throws(StoreProblem) -> SealingKey { throw .sealingKey(.missing, source: name) }
}
