import Foundation
import OstiaryCore

/// The caller of a guess, with the counters of its device and its network.
struct RecognizedCaller: Hashable, Sendable {
    /// The subject that guesses are counted for: see ``AuthEngine/guessSubject(of:)``.
    var subject: String
    var recognition = Recognition()
    /// The device whose secret the caller presents; nil for one that the account does not know.
    var device: RecognizedDevice?
    /// The counter of the device; nil for one that the account does not know.
    var deviceKey: String?
    /// The caller's network; nil for a caller inside the process.
    var network: KnownNetwork?
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
        var recognized = RecognizedCaller(subject: subject, network: knownNetwork(for: subject))
        guard recognized.network != nil || caller.deviceToken != nil else { return recognized }
        let networkKey = key(.signIn, "known-\(caller.network ?? "")", subject)
        @Sendable func deviceKey(of device: RecognizedDevice) -> String? {
            guard guessSubject(of: device.accountID).utf8.elementsEqual(subject.utf8) else { return nil }
            return key(.signIn, "device-\(device.id)", subject)
        }
        let now = ports.system.now()
        let record = try await ports.store.callerRecord(
            CallerQuery(
                app: app.name, device: caller.deviceToken.map(deviceHash), deviceCounter: deviceKey,
                network: recognized.network, networkCounter: networkKey),
            at: now)
        if let device = record.device {
            (recognized.device, recognized.deviceKey) = (device, deviceKey(of: device))
        }
        if record.isNetworkKnown { recognized.networkKey = networkKey }
        recognized.recognition = Recognition(
            isDeviceRecognized: record.device != nil && isWithinLimit(record.deviceAttempts, at: now),
            isNetworkKnown: record.isNetworkKnown && isWithinLimit(record.networkAttempts, at: now))
        return recognized
    }

    private func isWithinLimit(_ record: AttemptRecord?, at now: Date) -> Bool {
        guard let limit = app.limits.perIdentifier[.signIn], let record, record.fullAt > now else { return true }
        return record.failures < GuessPolicy(limit).recognizedFailures
    }

    /// Returns the number of consecutive failures that a counter holds.
    func failures(countedAs key: String) async throws -> Int {
        guard let record = try await ports.store.attempt(key), record.fullAt > ports.system.now() else { return 0 }
        return record.failures
    }
}
