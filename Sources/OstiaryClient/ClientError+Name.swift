import OstiaryCore

extension ClientError {
    /// A stable word for counting and for logs.
    public var name: String {
        switch self {
        case .invalidURL: "invalid_url"
        case .invalidRequest: "invalid_request"
        case .unsupported: "unsupported"
        case .notSignedIn: "not_signed_in"
        case .locked: "locked"
        case .sessionEnded(let refusal): "session_ended_\(refusal.code)"
        case .refused(let refusal): refusal.code
        case .browserAnswer(let problem): problem.name
        case .unauthorized: "unauthorized"
        case .http(let status, _): "http_\(status)"
        case .rateLimited: "rate_limited"
        case .temporarilyUnavailable: "temporarily_unavailable"
        case .invalidResponse: "invalid_response"
        case .decoding: "decoding"
        case .offline: "offline"
        case .network(.timedOut): "timed_out"
        case .network(.untrusted): "untrusted"
        case .network: "connection_lost"
        case .certificatePinningFailed: "certificate_pinning_failed"
        case .store: "store"
        case .cancelledByUser: "cancelled_by_user"
        case .cancelled: "cancelled"
        }
    }
}
