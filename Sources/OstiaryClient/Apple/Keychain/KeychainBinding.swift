#if canImport(Security) && canImport(LocalAuthentication) && !os(tvOS) && !os(watchOS)
import LocalAuthentication
import Synchronization

/// The binding of stored sessions to the device's biometric enrolment: they are sealed with a key that the keychain
/// releases only to a face or finger of that enrolment.
///
/// The person is prompted once in each run of the app, when the sessions are read for the first time.
///
/// - Important: An app that uses Face ID states its reason in its Info.plist, under `NSFaceIDUsageDescription`; the
///   system terminates an app without it.
///
/// If the enrolment changes, the sessions can never be opened again: the state becomes ``SessionState/signedOut(_:)``
/// with ``SignedOutReason/notRecognised(_:)``.
///
/// Items that a contract names are not used with a binding, as their contents are in plaintext. A binding serves one
/// process only: an app's extensions cannot prompt the person.
public final class KeychainBinding: Sendable {
    let person: BoundPerson
    private let keys = Mutex<[String: KeychainKey]>([:])

    /// Creates a binding. One value may serve several stores of an app.
    ///
    /// - Parameter reason: A short sentence that the prompt shows to the person; a general one if it is empty.
    public convenience init(reason: String) { self.init(reason: reason) { DevicePrompt(LAContext()) } }

    init(reason: String, device: @escaping @Sendable () -> DevicePrompt) {
        person = BoundPerson(reason: reason, device: device)
    }

    /// `true` if the person declined or was not recognised. They are prompted again when the app returns from the
    /// background to the foreground, by ``AuthClient/unlock(_:)``, and after ``retry()``.
    public var isRefused: Bool { person.isRefused }

    /// Allows a prompt at the next read of the store, even if the person has declined.
    public func retry() { person.retry() }

    /// Returns the key of an account, the same object for all stores of an app, so that none of them creates a second
    /// key.
    func key(
        _ account: String, in keychain: Keychain, _ protectedData: ProtectedData = .ofThisDevice
    ) -> KeychainKey {
        keys.withLock { keys in
            let key = keys[account] ?? KeychainKey(of: person, account: account, keychain: keychain, protectedData)
            keys[account] = key
            return key
        }
    }
}

/// The state of the person who holds the device: they may have declined the prompt, and the app may be in the
/// background.
final class BoundPerson: Sendable {
    let reason: String
    let device: @Sendable () -> DevicePrompt
    private let state = Mutex(State())

    private struct State {
        var isRefused = false
        var isInBackground = false
    }

    init(reason: String, device: @escaping @Sendable () -> DevicePrompt) {
        self.reason = reason
        self.device = device
    }

    var isRefused: Bool { state.withLock { $0.isRefused } }
    var mayBeAsked: Bool { state.withLock { !$0.isRefused && !$0.isInBackground } }

    func refuse() { state.withLock { $0.isRefused = true } }
    func retry() { state.withLock { $0.isRefused = false } }
    func didEnterBackground() { state.withLock { $0 = State(isRefused: false, isInBackground: true) } }
    func willEnterForeground() { state.withLock { $0.isInBackground = false } }
}
#endif
