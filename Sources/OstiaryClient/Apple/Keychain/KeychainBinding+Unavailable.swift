#if canImport(Security) && (os(tvOS) || os(watchOS) || !canImport(LocalAuthentication))
/// The binding of stored sessions to the device's biometric enrolment. On tvOS and watchOS apps have no biometrics, so
/// the type has no values there.
public enum KeychainBinding: Sendable {
    func key(_ account: String, in keychain: Keychain, _ protectedData: ProtectedData) -> KeychainKey {
        switch self {}
    }
}

/// A key that is bound to biometrics. There is none here, and a record that another device sealed with one is not
/// opened.
enum KeychainKey: SealingKeySource {
    static let sourceName = "keychain"

    var name: String { switch self {} }
    var person: BoundPerson { switch self {} }

    func key() async throws(StoreProblem) -> SealingKey? { switch self {} }
    func makeKey() async throws(StoreProblem) -> SealingKey { switch self {} }
    func remove() async throws(StoreProblem) { switch self {} }
    func forget(unlessSealing mark: SealingKeyReference) { switch self {} }
    func forgetUnlessStored() async throws(StoreProblem) { switch self {} }
}

enum BoundPerson: Sendable {
    func didEnterBackground() { switch self {} }
    func willEnterForeground() { switch self {} }
    func retry() { switch self {} }
}
#endif
