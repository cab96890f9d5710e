import OstiaryCore

extension AuthEngine {
    /// Returns the caller's properties that an account knows from earlier sign-ins.
    ///
    /// - Parameter subject: The subject that guesses are counted for, known or not: see ``guessSubject(of:)``.
    func recognition(of subject: String) async throws -> Recognition {
        let now = ports.system.now()
        var recognition = Recognition()
        if let network = knownNetwork(for: subject) {
            recognition.isNetworkKnown = try await ports.store.isKnown(network, at: now)
        }
        if let presented = caller.deviceToken,
            let device = try await ports.store.device(deviceHash(presented), in: app.name, at: now)
        {
            recognition.isDeviceRecognized = guessSubject(of: device.accountID).utf8.elementsEqual(subject.utf8)
        }
        return recognition
    }
}
