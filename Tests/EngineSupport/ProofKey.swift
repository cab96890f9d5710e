public import Foundation
public import OstiaryContracts
public import OstiaryCore

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// A client's key, and proofs of it in which any part can be forged.
public struct ProofKey: Sendable {
    private let key: P256.Signing.PrivateKey

    /// Creates a random key.
    public init() { key = P256.Signing.PrivateKey() }

    /// The thumbprint. Source: RFC 7638.
    public var thumbprint: String {
        let (x, y) = (Base64URL.encode(coordinates.x), Base64URL.encode(coordinates.y))
        let input = #"{"crv":"P-256","kty":"EC","x":"\#(x)","y":"\#(y)"}"#
        return Base64URL.encode(Array(SHA256.hash(data: Data(input.utf8))))
    }

    /// The public key as a JSON Web Key.
    public var jwk: JSON {
        [
            "kty": "EC", "x": .string(Base64URL.encode(coordinates.x)), "y": .string(Base64URL.encode(coordinates.y)),
            "crv": "P-256",
        ]
    }

    /// The private scalar, for a proof that gives it away.
    public var privateScalar: String { Base64URL.encode(Array(key.rawRepresentation)) }

    private var coordinates: (x: [UInt8], y: [UInt8]) {
        let raw = Array(key.publicKey.rawRepresentation)
        return (Array(raw[..<32]), Array(raw[32...]))
    }

    /// A proof before it is signed.
    public struct Draft {
        /// The members of the header.
        public var header: [JSON.Member]
        /// The members of the payload.
        public var claims: [JSON.Member]
        /// Changes the signature.
        public var signature: (inout [UInt8]) -> Void = { _ in }

        /// Sets, or removes with nil, a member of the header.
        public mutating func setHeader(_ name: String, _ value: JSON?) { Self.set(name, value, in: &header) }

        /// Sets, or removes with nil, a claim.
        public mutating func setClaim(_ name: String, _ value: JSON?) { Self.set(name, value, in: &claims) }

        private static func set(_ name: String, _ value: JSON?, in members: inout [JSON.Member]) {
            members.removeAll { $0.name == name }
            if let value { members.append(JSON.Member(name, value)) }
        }
    }

    /// Returns the value of the header `DPoP`.
    ///
    /// - Parameter forge: Changes the proof before it is signed.
    public func proof(
        _ method: String, _ url: String, at now: Date, accessToken: Secret<String>? = nil, nonce: String? = nil,
        id: String = UUID().uuidString, forge: (inout Draft) -> Void = { _ in }
    ) throws -> String {
        var draft = Draft(
            header: [JSON.Member("typ", "dpop+jwt"), JSON.Member("alg", "ES256"), JSON.Member("jwk", jwk)],
            claims: [
                JSON.Member("jti", .string(id)), JSON.Member("htm", .string(method)), JSON.Member("htu", .string(url)),
                JSON.Member("iat", .integer(Int(now.timeIntervalSince1970.rounded(.down)))),
            ])
        if let accessToken { draft.setClaim("ath", .string(Self.hash(of: accessToken))) }
        if let nonce { draft.setClaim("nonce", .string(nonce)) }
        forge(&draft)
        let input =
            Base64URL.encode(JSON.object(draft.header).bytes) + "." + Base64URL.encode(JSON.object(draft.claims).bytes)
        var signature = Array(try key.signature(for: Data(input.utf8)).rawRepresentation)
        draft.signature(&signature)
        return "\(input).\(Base64URL.encode(signature))"
    }

    /// Returns the `ath` of an access token.
    public static func hash(of accessToken: Secret<String>) -> String {
        Base64URL.encode(Array(SHA256.hash(data: Data(accessToken.reveal().utf8))))
    }
}
