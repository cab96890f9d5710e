import OstiaryCore

extension ClientError {
    /// What kept an answer from coming, where that was on the way and may not last.
    var onTheWay: TransportError? {
        switch self {
        case .offline: .offline
        case .network(let error): error
        default: nil
        }
    }

    /// Whether the same call may succeed later without anybody changing anything.
    ///
    /// It may also have been done already: after ``network(_:)`` nobody knows.
    public var isRetryable: Bool {
        switch self {
        case .rateLimited, .temporarilyUnavailable, .offline, .network(.connectionLost), .network(.timedOut),
            .network(.offline), .store(.busy):
            true
        case .http(let status, _): status >= 500
        case .refused(let refusal):
            switch refusal {
            case .tooManyAttempts, .busy, .unavailable: true
            default: false
            }
        case .invalidURL, .invalidRequest, .unsupported, .notSignedIn, .locked, .queueFull, .sessionEnded,
            .browserAnswer,
            .unauthorized, .invalidResponse, .decoding, .network, .certificatePinningFailed, .store, .cancelledByUser,
            .cancelled:
            false
        }
    }
}
