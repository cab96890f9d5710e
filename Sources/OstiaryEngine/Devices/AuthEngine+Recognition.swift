import Foundation
import OstiaryCore

/// The caller of a guess, with the counters of its device and its network.
struct RecognizedCaller: Hashable, Sendable {
    var recognition = Recognition()
    /// The counter of the device whose secret the caller presents; nil for one that the account does not know.
    var deviceKey: String?
    /// The counter of the caller's network; nil for one that the account does not know.
    var networkKey: String?
}

extension AuthEngine {
    /// Returns the caller's properties that an account knows from earlier sign-ins. A device or a network with too many
    /// consecutive failures counts as unrecognized until its next success.
    ///
    /// - Parameter subject: The subject that guesses are counted for, known or not: see ``guessSubject(of:)``.
    func recognition(of subject: String) async throws -> Recognition {
        try await recognizedCaller(of: subject).recognition
    }

    func recognizedCaller(of subject: String) async throws -> RecognizedCaller {
        let now = ports.system.now()
        var recognized = RecognizedCaller()
        if let presented = caller.deviceToken,
            let device = try await ports.store.device(deviceHash(presented), in: app.name, at: now),
            guessSubject(of: device.accountID).utf8.elementsEqual(subject.utf8)
        {
            recognized.deviceKey = key(.signIn, "device-\(device.id)", subject)
        }
        if let network = knownNetwork(for: subject), try await ports.store.isKnown(network, at: now) {
            recognized.networkKey = key(.signIn, "known-\(caller.network ?? "")", subject)
        }
        recognized.recognition = Recognition(
            isDeviceRecognized: try await isWithinLimit(recognized.deviceKey),
            isNetworkKnown: try await isWithinLimit(recognized.networkKey))
        return recognized
    }

    private func isWithinLimit(_ key: String?) async throws -> Bool {
        guard let key else { return false }
        guard let limit = app.limits.perIdentifier[.signIn] else { return true }
        return try await failures(countedAs: key) < GuessPolicy(limit).recognizedFailures
    }

    /// Returns the number of consecutive failures that a counter holds.
    func failures(countedAs key: String) async throws -> Int {
        guard let record = try await ports.store.attempt(key), record.fullAt > ports.system.now() else { return 0 }
        return record.failures
    }
}
