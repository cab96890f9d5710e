/// The reason why a request is not an event of the server.
public enum WebhookProblem: Error, Hashable, Sendable {
    /// A secret is not `whsec_` and 24 to 64 bytes in base64, or there is none.
    case invalidSecret
    /// The header with this name is missing or malformed.
    case invalidHeader(String)
    /// The time in `webhook-timestamp` is further from the present than the tolerance.
    case outsideTolerance
    /// No signature was made with one of the secrets for this body.
    case wrongSignature
    /// The signature is right, and the body has no form of an event.
    case invalidBody
}

extension WebhookProblem: CustomStringConvertible {
    /// The reason in English, without content of the request.
    public var description: String {
        switch self {
        case .invalidSecret: "The secret is not of the form whsec_…"
        case .invalidHeader(let name): "The header \(name) is missing or malformed."
        case .outsideTolerance: "The event was signed too long ago, or by a clock that is ahead."
        case .wrongSignature: "The signature is wrong."
        case .invalidBody: "The body is not an event."
        }
    }
}
