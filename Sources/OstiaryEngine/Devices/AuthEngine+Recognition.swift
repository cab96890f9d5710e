extension AuthEngine {
    /// Returns the caller's properties that an account knows from earlier sign-ins.
    ///
    /// - Parameter subject: The subject that guesses are counted for, known or not: see ``guessSubject(of:)``.
    func recognition(of subject: String) async throws -> Recognition {
        var recognition = Recognition()
        if let network = knownNetwork(for: subject) {
            recognition.isNetworkKnown = try await ports.store.isKnown(network, at: ports.system.now())
        }
        return recognition
    }
}
