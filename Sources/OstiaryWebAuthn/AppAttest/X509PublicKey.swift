#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// The public key of a certificate, on one of the curves that App Attest uses. Source: RFC 5480 §2.
enum X509PublicKey: Sendable {
    case p256(P256.Signing.PublicKey)
    case p384(P384.Signing.PublicKey)

    private static let ecPublicKey: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
    private static let secp256r1: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
    private static let secp384r1: [UInt8] = [0x2B, 0x81, 0x04, 0x00, 0x22]

    /// Reads a `SubjectPublicKeyInfo` with a named curve and an uncompressed point.
    init?(_ element: DERElement) {
        var parts = DERReader(element.content)
        guard let algorithm = parts.next(DERElement.Tag.sequence), let key = parts.next(DERElement.Tag.bitString),
            parts.isAtEnd, let point = X509Certificate.octets(ofBitString: key)
        else { return nil }
        var identifiers = DERReader(algorithm.content)
        guard let type = identifiers.next(DERElement.Tag.objectIdentifier),
            type.content.elementsEqual(Self.ecPublicKey),
            let curve = identifiers.next(DERElement.Tag.objectIdentifier), identifiers.isAtEnd
        else { return nil }
        switch Array(curve.content) {
        case Self.secp256r1:
            guard let key = try? P256.Signing.PublicKey(x963Representation: point) else { return nil }
            self = .p256(key)
        case Self.secp384r1:
            guard let key = try? P384.Signing.PublicKey(x963Representation: point) else { return nil }
            self = .p384(key)
        default: return nil
        }
    }

    /// Returns `true` if the signature of the message, an `ECDSA-Sig-Value` in DER, is valid under this key.
    func isValidSignature(
        _ signature: [UInt8], for message: ArraySlice<UInt8>, by algorithm: X509Certificate.SignatureAlgorithm
    ) -> Bool {
        switch algorithm {
        case .sha256: isValidSignature(signature, for: SHA256.hash(data: message))
        case .sha384: isValidSignature(signature, for: SHA384.hash(data: message))
        }
    }

    private func isValidSignature(_ signature: [UInt8], for digest: some Digest) -> Bool {
        switch self {
        case .p256(let key):
            guard let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: digest)
        case .p384(let key):
            guard let signature = try? P384.Signing.ECDSASignature(derRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: digest)
        }
    }
}
