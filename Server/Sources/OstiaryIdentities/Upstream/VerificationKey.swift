import Crypto
import CryptoExtras
import OstiaryContracts
import OstiaryCore

/// A public key of an upstream provider. Source: RFC 7517 §4, RFC 7518 §6.2 and §6.3.
struct VerificationKey: Sendable {
    let kid: String?
    /// The one algorithm that the key declares, if any.
    private let algorithm: String?
    private let material: Material

    private enum Material: Sendable {
        case rsa(_RSA.Signing.PublicKey)
        case p256(P256.Signing.PublicKey)
        case p384(P384.Signing.PublicKey)
        case p521(P521.Signing.PublicKey)
    }

    /// The accepted lengths of an RSA modulus, in bytes. Shorter ones are insecure; longer ones would cost this server
    /// verification time that the provider chooses.
    private static let rsaModulusBytes = 256...1024

    /// Creates a key from a JSON Web Key; nil for a key that is not for signatures, of an unknown type, or too weak.
    init?(_ json: JSON) {
        guard let kid = Self.text(json["kid"]), let algorithm = Self.text(json["alg"]),
            let use = Self.text(json["use"]),
            use ?? "sig" == "sig", Self.mayVerify(json["key_ops"]), let material = Self.material(json)
        else { return nil }
        self.kid = kid
        self.algorithm = algorithm
        self.material = material
    }

    /// Returns `true` if the key has the type that the algorithm requires.
    func fits(_ algorithm: SignatureAlgorithm) -> Bool {
        guard self.algorithm ?? algorithm.rawValue == algorithm.rawValue else { return false }
        return switch (material, algorithm) {
        case (.rsa, .rs256), (.rsa, .rs384), (.rsa, .rs512), (.rsa, .ps256), (.rsa, .ps384), (.rsa, .ps512): true
        case (.p256, .es256), (.p384, .es384), (.p521, .es512): true
        default: false
        }
    }

    /// Returns `true` if the token's signature is valid under this key.
    func signed(_ token: UnverifiedToken) -> Bool {
        let (input, signature) = (token.signingInput, token.signature)
        switch (material, token.algorithm) {
        case (.rsa(let key), .rs256): return key.signed(SHA256.hash(data: input), signature, .insecurePKCS1v1_5)
        case (.rsa(let key), .rs384): return key.signed(SHA384.hash(data: input), signature, .insecurePKCS1v1_5)
        case (.rsa(let key), .rs512): return key.signed(SHA512.hash(data: input), signature, .insecurePKCS1v1_5)
        case (.rsa(let key), .ps256): return key.signed(SHA256.hash(data: input), signature, .PSS)
        case (.rsa(let key), .ps384): return key.signed(SHA384.hash(data: input), signature, .PSS)
        case (.rsa(let key), .ps512): return key.signed(SHA512.hash(data: input), signature, .PSS)
        case (.p256(let key), .es256):
            guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: SHA256.hash(data: input))
        case (.p384(let key), .es384):
            guard let signature = try? P384.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: SHA384.hash(data: input))
        case (.p521(let key), .es512):
            guard let signature = try? P521.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: SHA512.hash(data: input))
        default: return false
        }
    }

    /// Returns the text; the outer optional is nil for a value that is not a text, the inner one for an absent value.
    private static func text(_ json: JSON?) -> String?? {
        switch json {
        case nil: .some(nil)
        case .string(let text)?: .some(text)
        default: .none
        }
    }

    private static func mayVerify(_ operations: JSON?) -> Bool {
        switch operations {
        case nil: true
        case .array(let operations)?: operations.contains("verify")
        default: false
        }
    }

    private static func material(_ json: JSON) -> Material? {
        guard case .string(let type)? = json["kty"] else { return nil }
        if type == "RSA" {
            guard let modulus = bytes(json["n"]), let exponent = bytes(json["e"]),
                rsaModulusBytes.contains(modulus.count), modulus[0] != 0, modulus[modulus.count - 1] & 1 == 1,
                (1...4).contains(exponent.count), exponent[exponent.count - 1] & 1 == 1, exponent != [1],
                let key = try? _RSA.Signing.PublicKey(n: modulus, e: exponent), key.keySizeInBits >= 2048
            else { return nil }
            return .rsa(key)
        }
        guard type == "EC", case .string(let curve)? = json["crv"], let x = bytes(json["x"]), let y = bytes(json["y"])
        else { return nil }
        let point = x + y
        switch (curve, x.count, y.count) {
        case ("P-256", 32, 32): return (try? P256.Signing.PublicKey(rawRepresentation: point)).map(Material.p256)
        case ("P-384", 48, 48): return (try? P384.Signing.PublicKey(rawRepresentation: point)).map(Material.p384)
        case ("P-521", 66, 66): return (try? P521.Signing.PublicKey(rawRepresentation: point)).map(Material.p521)
        default: return nil
        }
    }

    private static func bytes(_ json: JSON?) -> [UInt8]? {
        guard case .string(let text)? = json, let bytes = Base64URL.decode(text.utf8), !bytes.isEmpty else {
            return nil
        }
        return bytes
    }
}

extension _RSA.Signing.PublicKey {
    fileprivate func signed(_ digest: some Digest, _ signature: [UInt8], _ padding: _RSA.Signing.Padding) -> Bool {
        isValidSignature(_RSA.Signing.RSASignature(rawRepresentation: signature), for: digest, padding: padding)
    }
}
