import Crypto
import CryptoExtras
import Foundation
import OstiaryCore

/// The public half of a signing key as it is published. Source: RFC 7517 §4, RFC 7518 §6.
struct JSONWebKey: Encodable {
    let kid: String
    let algorithm: SigningAlgorithm
    /// The members that the thumbprint is computed over: those that define the key. Source: RFC 7638 §3.2.
    let members: [String: String]

    init(_ key: P256.Signing.PublicKey) {
        let coordinates = Array(key.rawRepresentation)
        self.init(
            .es256,
            [
                "crv": "P-256", "kty": "EC", "x": Base64URL.encode(coordinates.prefix(32)),
                "y": Base64URL.encode(coordinates.suffix(32)),
            ])
    }

    /// - Throws: The error of the cryptography library if it cannot give modulus and exponent.
    init(_ key: _RSA.Signing.PublicKey) throws {
        let numbers = try key.getKeyPrimitives()
        self.init(
            .rs256,
            [
                "e": Base64URL.encode(Self.withoutLeadingZeros(numbers.publicExponent)), "kty": "RSA",
                "n": Base64URL.encode(Self.withoutLeadingZeros(numbers.modulus)),
            ])
    }

    private init(_ algorithm: SigningAlgorithm, _ members: [String: String]) {
        self.algorithm = algorithm
        self.members = members
        // In the order of their names and without spaces, as RFC 7638 §3.3 requires; no value needs an escape.
        let text = members.sorted { $0.key < $1.key }.map { #""\#($0.key)":"\#($0.value)""# }.joined(separator: ",")
        kid = Base64URL.encode(Array(SHA256.hash(data: Array("{\(text)}".utf8))))
    }

    func encode(to encoder: any Encoder) throws {
        let described = ["alg": algorithm.rawValue, "kid": kid, "use": "sig"]
        try described.merging(members) { described, _ in described }.encode(to: encoder)
    }

    /// Returns a number in as few bytes as it needs. Source: RFC 7518 §2 (Base64urlUInt).
    private static func withoutLeadingZeros(_ number: Data) -> [UInt8] { Array(number.drop { $0 == 0 }) }
}

/// A JSON Web Key Set. Source: RFC 7517 §5.
struct JSONWebKeySet: Encodable {
    var keys: [JSONWebKey]
}
