/// The authenticator data of App Attest: the header of WebAuthn Level 3 §6.1, and in an attestation the attested credential.
///
/// It is not read as WebAuthn's is: an assertion has the flag AT without an attested credential, and since iOS 27
/// extensions follow with and without the flag ED. The flags and what follows are signed, and not evaluated.
struct AppAttestAuthenticatorData: Sendable {
    /// The SHA-256 hash of the App ID.
    let appIDHash: [UInt8]
    let counter: UInt32

    private static let hashBytes = 32
    private static let headerBytes = 37
    private static let counterBytes = 4

    /// Reads the header of an assertion.
    init(assertion bytes: [UInt8]) throws(AppAttestProblem) {
        guard bytes.count >= Self.headerBytes else { throw .authenticatorData }
        appIDHash = Array(bytes.prefix(Self.hashBytes))
        counter = bytes[..<Self.headerBytes].suffix(Self.counterBytes).reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Reads the header and the attested credential of an attestation.
    static func attestation(
        _ bytes: [UInt8]
    ) throws(AppAttestProblem) -> (header: AppAttestAuthenticatorData, credential: AttestedCredentialData) {
        let header = try AppAttestAuthenticatorData(assertion: bytes)
        var rest = bytes[headerBytes...]
        do {
            return (header, try AttestedCredentialData(readingFrom: &rest))
        } catch WebAuthnProblem.publicKey {
            throw .publicKey
        } catch {
            throw .authenticatorData
        }
    }
}
