import OstiaryEngine
import Crypto

/// The public half of a signing key, as others read it. Source: RFC 7517 §4, RFC 7518 §6.2.1.
struct JSONWebKey: Encodable {
    let alg = "ES256"
    let crv = "P-256"
    let kid: String
    let kty = "EC"
    let use = "sig"
    let x: String
    let y: String

    init(_ key: P256.Signing.PublicKey) {
        let coordinates = Array(key.rawRepresentation)
        x = Base64URL.encode(coordinates.prefix(32))
        y = Base64URL.encode(coordinates.suffix(32))
        // The members the thumbprint asks for, in its order. Source: RFC 7638 §3.2.
        let members = #"{"crv":"P-256","kty":"EC","x":"\#(x)","y":"\#(y)"}"#
        kid = Base64URL.encode(Array(SHA256.hash(data: Array(members.utf8))))
    }
}

/// Source: RFC 7517 §5.
struct JSONWebKeySet: Encodable {
    var keys: [JSONWebKey]
}
