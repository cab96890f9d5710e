/// Creates keys that attest the app to its server, and signs requests with them.
///
/// ``ClientOptions/appAttest`` takes one: `DeviceAppAttestService` on Apple's platforms, and a software implementation of
/// `OstiaryTesting` in tests. The methods have the meaning that `DCAppAttestService` gives them. The client treats a call that
/// takes longer than 30 seconds, or an assertion that takes longer than its request may, as one that failed with
/// ``AppAttestFailure/unavailable``.
public protocol AppAttestService: Sendable {
    /// `true` if this device and this kind of program can attest the app.
    var isSupported: Bool { get }

    /// Creates a key.
    ///
    /// - Returns: The key id: the SHA-256 hash of the public key.
    /// - Throws: ``AppAttestFailure``.
    func generateKey() async throws(AppAttestFailure) -> [UInt8]

    /// Asks for the attestation of a key that was not attested before.
    ///
    /// - Parameters:
    ///   - keyID: The key id.
    ///   - clientDataHash: The SHA-256 hash of the server's challenge.
    /// - Returns: The attestation object.
    /// - Throws: ``AppAttestFailure``.
    func attestKey(_ keyID: [UInt8], clientDataHash: [UInt8]) async throws(AppAttestFailure) -> [UInt8]

    /// Signs a request with an attested key.
    ///
    /// - Parameters:
    ///   - keyID: The key id.
    ///   - clientDataHash: The SHA-256 hash of the request's client data.
    /// - Returns: The assertion.
    /// - Throws: ``AppAttestFailure``.
    func generateAssertion(_ keyID: [UInt8], clientDataHash: [UInt8]) async throws(AppAttestFailure) -> [UInt8]
}

/// The reason why the system did not attest the app.
public enum AppAttestFailure: Error, Hashable, Sendable {
    /// The device or the kind of program does not support App Attest.
    case unsupported
    /// The key does not exist on this device any more, or was attested before.
    case invalidKey
    /// Apple's servers cannot be reached. The same key can be attested later.
    case unavailable
    /// The system failed for another reason.
    case failed
}
