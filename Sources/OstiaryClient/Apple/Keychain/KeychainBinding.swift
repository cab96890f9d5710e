#if canImport(Security) && canImport(LocalAuthentication) && !os(tvOS) && !os(watchOS)
import LocalAuthentication
import Synchronization

/// Binds stored sessions to the faces or fingers that the device knows: they are sealed with a key that the keychain gives
/// to nobody else.
///
/// The person is asked once in each run of the app, when the sessions are read first.
///
/// - Important: An app that asks for Face ID says why in its Info.plist, under `NSFaceIDUsageDescription`; without that the
///   system ends it.
///
/// If the device knows other faces or
/// fingers than then, nobody can open them any more: the state becomes
/// ``SessionState/signedOut(_:)`` with ``SignedOutReason/notRecognised(_:)``.
///
/// Where the contract names items they are not used, because what is in them is in the clear. For one process: extensions of
/// an app cannot ask its person.
public final class KeychainBinding: Sendable {
    let person: BoundPerson
    private let keys = Mutex<[String: KeychainKey]>([:])

    /// - Parameter reason: What the person is told, in a short sentence; if it is empty, something general.
    public convenience init(reason: String) { self.init(reason: reason) { DevicePrompt(LAContext()) } }

    init(reason: String, device: @escaping @Sendable () -> DevicePrompt) {
        person = BoundPerson(reason: reason, device: device)
    }

    /// Whether the person has said no, or could not be recognised. They are asked again when the app was in the background and
    /// comes to the front, by ``AuthClient/unlock(_:)``, and after ``askAgain()``.
    public var isRefused: Bool { person.isRefused }

    /// Has the person asked at the next reading.
    public func askAgain() { person.askAgain() }

    /// One for all stores of an app, so that none of them makes another.
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

/// Whoever holds the device, and may have said no.
final class BoundPerson: Sendable {
    let reason: String
    let device: @Sendable () -> DevicePrompt
    private let state = Mutex(State())

    private struct State {
        var isRefused = false
        var isAway = false
    }

    init(reason: String, device: @escaping @Sendable () -> DevicePrompt) {
        self.reason = reason
        self.device = device
    }

    var isRefused: Bool { state.withLock { $0.isRefused } }
    var mayBeAsked: Bool { state.withLock { !$0.isRefused && !$0.isAway } }

    func refuse() { state.withLock { $0.isRefused = true } }
    func askAgain() { state.withLock { $0.isRefused = false } }
    func leaveFront() { state.withLock { $0 = State(isRefused: false, isAway: true) } }
    func comeToFront() { state.withLock { $0.isAway = false } }
}
#endif
