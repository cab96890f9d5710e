import CryptoExtras

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// A credential public key. Source: RFC 9052 §7, RFC 9053 §7, RFC 8230 §4; WebAuthn Level 3 §5.8.5 and §6.5.1.1.
package struct COSEKey: Sendable {
    /// The signature algorithm, by its number in the IANA registry "COSE Algorithms".
    package enum Algorithm: Int64, Sendable, Hashable, CaseIterable {
        /// ECDSA with SHA-256, restricted to P-256. Source: RFC 9053 §2.1, WebAuthn Level 3 §5.8.5.
        case es256 = -7
        /// EdDSA, restricted to Ed25519. Source: RFC 9053 §2.2, WebAuthn Level 3 §5.8.5.
        case edDSA = -8
        /// RSASSA-PKCS1-v1_5 with SHA-256. Source: RFC 8812 §2.
        case rs256 = -257
    }

    /// The algorithm that the key declares.
    package let algorithm: Algorithm
    private let material: Material

    private enum Material: Sendable {
        case p256(P256.Signing.PublicKey)
        case ed25519(Curve25519.Signing.PublicKey)
        case rsa(_RSA.Signing.PublicKey)
    }

    /// Labels of key parameters; those below zero depend on the key type. Source: RFC 9052 §7.1, RFC 9053 §7.1 and
    /// §7.2, RFC 8230 §4.
    private enum Label {
        static let keyType: Int64 = 1
        static let algorithm: Int64 = 3
        static let curve: Int64 = -1
        static let x: Int64 = -2
        static let y: Int64 = -3
        static let modulus: Int64 = -1
        static let exponent: Int64 = -2
    }

    /// The accepted lengths of an RSA modulus, in bytes. Longer ones would cost verification time that the caller
    /// chooses.
    private static let modulusBytes = 256...512
    private static let exponent: [UInt8] = [1, 0, 1]

    /// Reads a key that has exactly the parameters its algorithm requires, in strict CBOR.
    package init(_ bytes: [UInt8]) throws(COSEKeyProblem) {
        let value: CBOR
        do { value = try CBOR.decode(bytes) } catch { throw .cbor(error) }
        try self.init(value)
    }

    /// Reads a decoded key.
    init(_ value: CBOR) throws(COSEKeyProblem) {
        guard case .map(let parameters) = value, let algorithm = value[Label.algorithm],
            let keyType = value[Label.keyType]
        else { throw .parameters }
        guard let number = algorithm.integer, let algorithm = Algorithm(rawValue: number) else { throw .algorithm }
        self.algorithm = algorithm
        switch algorithm {
        case .es256:
            guard keyType == .unsigned(2) else { throw .keyType }
            guard parameters.count == 5 else { throw .parameters }
            try Self.verifyCurve(value, 1)
            let point = try Self.coordinate(value, Label.x) + Self.coordinate(value, Label.y)
            guard let key = try? P256.Signing.PublicKey(rawRepresentation: point) else { throw .point }
            material = .p256(key)
        case .edDSA:
            guard keyType == .unsigned(1) else { throw .keyType }
            guard parameters.count == 4 else { throw .parameters }
            try Self.verifyCurve(value, 6)
            let point = try Self.coordinate(value, Label.x)
            guard Edwards25519.isPublicKey(point),
                let key = try? Curve25519.Signing.PublicKey(rawRepresentation: point)
            else { throw .point }
            material = .ed25519(key)
        case .rs256:
            guard keyType == .unsigned(3) else { throw .keyType }
            guard parameters.count == 4 else { throw .parameters }
            guard let modulus = value[Label.modulus], let exponent = value[Label.exponent] else { throw .parameters }
            guard exponent == .bytes(Self.exponent) else { throw .exponent }
            guard case .bytes(let modulus) = modulus, Self.isModulus(modulus),
                let key = try? _RSA.Signing.PublicKey(n: modulus, e: Self.exponent)
            else { throw .modulus }
            material = .rsa(key)
        }
    }

    /// Returns `true` if the signature of the message is valid under this key. An ES256 signature is in DER. Source:
    /// WebAuthn Level 3 §6.5.5.
    package func isValidSignature(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        switch material {
        case .p256(let key):
            guard let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: SHA256.hash(data: message))
        case .ed25519(let key):
            return signature.count == 64 && key.isValidSignature(signature, for: message)
        case .rsa(let key):
            return key.isValidSignature(
                _RSA.Signing.RSASignature(rawRepresentation: signature), for: SHA256.hash(data: message),
                padding: .insecurePKCS1v1_5)
        }
    }

    private static func verifyCurve(_ value: CBOR, _ number: UInt64) throws(COSEKeyProblem) {
        guard let curve = value[Label.curve] else { throw .parameters }
        guard curve == .unsigned(number) else { throw .curve }
    }

    private static func coordinate(_ value: CBOR, _ label: Int64) throws(COSEKeyProblem) -> [UInt8] {
        guard let coordinate = value[label] else { throw .parameters }
        guard case .bytes(let bytes) = coordinate, bytes.count == 32 else { throw .coordinate }
        return bytes
    }

    /// Returns `true` for an odd number of 2048 to 4096 bits without leading zeros.
    private static func isModulus(_ bytes: [UInt8]) -> Bool {
        guard modulusBytes.contains(bytes.count), let first = bytes.first, let last = bytes.last else { return false }
        return first >= (bytes.count == modulusBytes.lowerBound ? 0x80 : 1) && last & 1 == 1
    }
}
