import CryptoExtras
import OstiaryWebAuthnFuzzing
import Testing

@testable import OstiaryWebAuthn

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// A credential whose private key is at hand.
struct TestCredential: Sendable, CustomTestStringConvertible {
    enum Key: Sendable {
        case p256(P256.Signing.PrivateKey)
        case ed25519(Curve25519.Signing.PrivateKey)
        case rsa(_RSA.Signing.PrivateKey)
    }

    let testDescription: String
    let algorithm: COSEKey.Algorithm
    let id: [UInt8]
    let key: Key
    /// The public key as a COSE key.
    let publicKey: CBOR

    static let es256 = TestCredential("ES256", .es256, .p256(P256.Signing.PrivateKey()))
    static let edDSA = TestCredential("EdDSA", .edDSA, .ed25519(Curve25519.Signing.PrivateKey()))
    static let rs256: TestCredential? = (try? _RSA.Signing.PrivateKey(keySize: .bits2048)).map {
        TestCredential("RS256", .rs256, .rsa($0))
    }
    /// One credential of each algorithm.
    static let all = [es256, edDSA] + (rs256.map { [$0] } ?? [])
    /// Another credential, of another account.
    static let other = TestCredential("other", .es256, .p256(P256.Signing.PrivateKey()))

    private init(_ name: String, _ algorithm: COSEKey.Algorithm, _ key: Key) {
        testDescription = name
        self.algorithm = algorithm
        self.key = key
        id = Array(SHA256.hash(data: Array(name.utf8)))
        publicKey =
            switch key {
            case .p256(let key): Self.ec(Array(key.publicKey.rawRepresentation))
            case .ed25519(let key): Self.okp(Array(key.publicKey.rawRepresentation))
            case .rsa(let key):
                Self.rsa((try? key.publicKey.getKeyPrimitives()).map { Array($0.modulus) } ?? [], [1, 0, 1])
            }
    }

    static func ec(_ point: [UInt8]) -> CBOR {
        key([(1, .unsigned(2)), (3, .integer(-7)), (-1, .unsigned(1))], [.bytes(Array(point.prefix(32)))])
            .adding(-3, .bytes(Array(point.suffix(32))))
    }

    static func okp(_ point: [UInt8]) -> CBOR {
        key([(1, .unsigned(1)), (3, .integer(-8)), (-1, .unsigned(6))], [.bytes(point)])
    }

    static func rsa(_ modulus: [UInt8], _ exponent: [UInt8]) -> CBOR {
        key([(1, .unsigned(3)), (3, .integer(-257)), (-1, .bytes(modulus))], [.bytes(exponent)])
    }

    private static func key(_ first: [(Int64, CBOR)], _ second: [CBOR]) -> CBOR {
        .map(first.map { CBOR.Entry(.integer($0.0), $0.1) } + second.map { CBOR.Entry(.integer(-2), $0) })
    }

    func sign(_ message: [UInt8]) throws -> [UInt8] {
        switch key {
        case .p256(let key): Array(try key.signature(for: SHA256.hash(data: message)).derRepresentation)
        case .ed25519(let key): Array(try key.signature(for: message))
        case .rsa(let key):
            Array(
                try key.signature(for: SHA256.hash(data: message), padding: .insecurePKCS1v1_5).rawRepresentation)
        }
    }
}

extension CBOR {
    /// Returns the map with another entry at its end.
    func adding(_ label: Int64, _ value: CBOR) -> CBOR {
        guard case .map(let entries) = self else { return self }
        return .map(entries + [Entry(.integer(label), value)])
    }

    /// Returns the map without the entry of an integer key.
    func removing(_ label: Int64) -> CBOR {
        guard case .map(let entries) = self else { return self }
        return .map(entries.filter { $0.key.integer != label })
    }

    /// Returns the map with another value of an integer key.
    func replacing(_ label: Int64, _ value: CBOR) -> CBOR {
        guard case .map(let entries) = self else { return self }
        return .map(entries.map { $0.key.integer == label ? Entry($0.key, value) : $0 })
    }
}
