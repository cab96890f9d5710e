import HTTPTypes
public import Hummingbird
import OstiaryContracts

/// What a service was asked, as far as a signature covers it.
public struct AskedRequest: Hashable, Sendable {
    public var method: String
    /// Path and query, as in the request line.
    public var target: String
    /// `Content-Digest`, `Signature-Input` and `Signature` by lower-case name. One that came several times is a list.
    public var signatureHeaders: [String: String]

    public init(_ request: Request) {
        method = request.method.rawValue
        target = request.head.path ?? "/"
        signatureHeaders = [:]
        for field in request.headers where SignatureHeader.all.contains(field.name.canonicalName) {
            let name = field.name.canonicalName
            signatureHeaders[name] = signatureHeaders[name].map { "\($0), \(field.value)" } ?? field.value
        }
    }

    /// Whether it says that it is signed, well or badly.
    public var claimsSignature: Bool { SignedRequest.isClaimed(by: signatureHeaders) }

    /// The 32 bytes that its body's SHA-256 must be; nil if it does not say, or not in the one form.
    var contentSHA256: [UInt8]? { signatureHeaders[SignatureHeader.digest].flatMap(ContentDigest.read) }
}
