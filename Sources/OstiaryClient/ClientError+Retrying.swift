import OstiaryCore

extension ClientError {
    /// The transport error, if the request got no answer because of a connection failure that may be transient.
    var onTheWay: TransportError? {
        switch self {
        case .offline: .offline
        case .network(let error): error
        default: nil
        }
    }

    /// `true` if the same call may succeed later without any change by the caller.
    ///
    /// The server may already have executed the call: after ``network(_:)`` the outcome is unknown.
    public var isRetryable: Bool {
        switch self {
        case .rateLimited, .temporarilyUnavailable, .offline, .network(.connectionLost), .network(.timedOut),
            .network(.offline), .store(.busy):
            true
        case .http(let status, _): status >= 500
        case .refused(let refusal):
            switch refusal {
            case .tooManyAttempts, .proofOfWorkRequired, .busy, .unavailable: true
            default: false
            }
        case .invalidURL, .invalidRequest, .unsupported, .notSignedIn, .locked, .queueFull, .sessionEnded,
            .browserAnswer,
            .unauthorized, .invalidResponse, .decoding, .network, .certificatePinningFailed, .store, .passkeyExists,
            .cancelledByUser, .cancelled:
            false
        }
    }
}
