#if Hummingbird
import HTTPTypes
public import Hummingbird
import OstiaryContracts

/// The parts of a service's incoming request that a request signature or a proof of possession covers. Source: RFC 9421 §2,
/// RFC 9449 §4.3.
public struct ReceivedRequest: Hashable, Sendable {
    /// The HTTP method, for example `GET`.
    public var method: String
    /// The path and query, as in the request line.
    public var target: String
    /// The fields `Content-Digest`, `Signature-Input` and `Signature` by lower-case name. The values of a repeated
    /// field are joined with a comma and a space.
    public var signatureHeaders: [String: String]
    /// The value of the field `DPoP`; nil for a request without a proof of possession. The values of a repeated field are
    /// joined, so that the server refuses them.
    public var proof: String?
    /// `true` if the access token has the scheme `DPoP`: it is bound to a key.
    public var presentsBoundToken: Bool

    /// Creates a received request from a Hummingbird request. A request without a path counts as one for `/`.
    public init(_ request: Request) {
        method = request.method.rawValue
        target = request.head.path ?? "/"
        signatureHeaders = [:]
        let proofs = request.headers.filter { $0.name.canonicalName == DPoPHeader.proof }.map(\.value)
        proof = proofs.isEmpty ? nil : proofs.joined(separator: ", ")
        presentsBoundToken = request.headers[.authorization].flatMap(DPoPHeader.token) != nil
        for field in request.headers where SignatureHeader.all.contains(field.name.canonicalName) {
            let name = field.name.canonicalName
            signatureHeaders[name] = signatureHeaders[name].map { "\($0), \(field.value)" } ?? field.value
        }
    }

    /// `true` if the request claims to be signed, whether or not its signature is valid.
    public var claimsSignature: Bool { SignedRequest.isClaimed(by: signatureHeaders) }

    /// The 32 bytes that the SHA-256 of the body must equal; nil if `Content-Digest` is absent or not in the one
    /// accepted form.
    var contentSHA256: [UInt8]? { signatureHeaders[SignatureHeader.digest].flatMap(ContentDigest.read) }
}
#endif
