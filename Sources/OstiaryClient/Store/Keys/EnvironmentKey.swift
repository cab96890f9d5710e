/// A key that whoever starts the program gives to it: for servers and containers, where no desktop is.
struct EnvironmentKey: SealingKeySource {
    static let variable = "OSTIARY_SESSION_KEY"

    let name = "environment"
    private let stored: SealingKey?

    /// - Returns: Nil if the variable is not set. Set to nothing it is malformed: a forgotten secret is told of.
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
