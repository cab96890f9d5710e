import OstiaryWebAuthn

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// The readers of App Attest.
extension WebAuthnFuzzing {
    private static let appID = "ABCDE12345.com.example.app"
    private static let clientDataHash = [UInt8](repeating: 1, count: 32)

    /// A verifier that trusts Apple's root certificate, for which nobody else can attest.
    private static let verifier: AppAttestVerifier? = {
        guard let root = try? X509Certificate(pem: X509Certificate.appleAppAttestationRoot) else { return nil }
        return AppAttestVerifier(appIDs: [appID], environment: .production, root: root)
    }()

    private static let appKey: AttestedAppKey? = {
        guard let key else { return nil }
        let point = Array(key.publicKey.x963Representation)
        return AttestedAppKey(keyID: Array(SHA256.hash(data: point)), publicKey: point, appID: appID)
    }()

    static func certificate(_ bytes: [UInt8]) -> String? {
        guard (try? X509Certificate(bytes)) != nil else { return nil }
        return (try? X509Certificate(bytes + [0])) == nil ? nil : "a byte after a certificate is accepted"
    }

    static func appAttestation(_ bytes: [UInt8]) -> String? {
        let attested = try? verifier?.verifyAttestation(
            bytes, keyID: [UInt8](repeating: 0, count: 32), clientDataHash: clientDataHash, at: 1_790_000_000)
        return attested == nil ? nil : "an attestation is accepted that Apple did not make"
    }

    /// Verifies an assertion of any bytes. The signature of none is right.
    static func appAssertion(_ bytes: [UInt8]) -> String? {
        guard let appKey else { return "the key cannot be made" }
        let counter = try? verifier?.verifyAssertion(bytes, of: appKey, clientDataHash: clientDataHash, after: 0)
        return counter == nil ? nil : "an assertion is accepted without the private key"
    }

    /// Verifies authenticator data of any bytes under a right signature.
    static func appAuthenticatorData(_ bytes: [UInt8]) -> String? {
        let nonce = Array(SHA256.hash(data: bytes + clientDataHash))
        guard let appKey, let key, let signature = try? key.signature(for: nonce) else {
            return "nothing can be signed"
        }
        let assertion = CBOR.map([
            .init(.text("signature"), .bytes(Array(signature.derRepresentation))),
            .init(.text("authenticatorData"), .bytes(bytes)),
        ]).encoded
        guard
            let counter = try? verifier?.verifyAssertion(
                assertion, of: appKey, clientDataHash: clientDataHash, after: 7)
        else { return nil }
        guard bytes.count >= 37, bytes.starts(with: Array(SHA256.hash(data: Array(appID.utf8)))) else {
            return "an assertion of another app is accepted"
        }
        return counter > 7 ? nil : "a counter is accepted that did not increase"
    }
}
