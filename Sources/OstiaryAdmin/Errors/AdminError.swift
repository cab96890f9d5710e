public import OstiaryAdminAPI
public import OstiaryClient

/// The reason why a call of the admin API failed: a closed list of all errors of the client.
///
/// Its description contains no secret.
public enum AdminError: Error, Hashable, Sendable {
    /// The base URL cannot be used.
    case invalidURL(BaseURLProblem)
    /// The service key has characters that no header can carry, or is empty.
    case invalidKey
    /// The request cannot be sent, for the given reason: an identifier that no path can carry, for example.
    case invalidRequest(String)
    /// The server refused the request, with these details.
    case refused(AdminProblemDetails)
    /// There is no answer. The server may have performed the request.
    case network(TransportError)
    /// The answer does not have the expected form.
    case invalidAnswer
    /// The server answered a cursor of a list for the second time: the list would never end.
    case repeatedCursor
    /// The calling task was cancelled.
    case cancelled
}

extension AdminError {
    /// The HTTP status of a refusal; nil for another error.
    public var status: Int? { problem?.status }
    /// The stable, machine-readable name of a refusal, such as `identifier_taken`; nil for another error.
    public var code: String? { problem?.code }
    /// The problems of members of the body and of parameters, each with its JSON pointer.
    public var errors: [AdminFieldError] { problem?.errors ?? [] }
    /// The time after which the request can succeed; nil if the server named none.
    public var retryAfter: Duration? { problem?.retryAfter.map { .seconds($0) } }
    /// The details of a refusal; nil for another error.
    public var problem: AdminProblemDetails? {
        guard case .refused(let problem) = self else { return nil }
        return problem
    }

    /// `true` if the same call may succeed later without any change by the caller.
    public var isRetryable: Bool {
        switch self {
        case .refused(let problem) where problem.code == AdminProblemDetails.idempotencyKeyInUse: true
        case .refused(let problem): [408, 425, 429, 500, 502, 503, 504].contains(problem.status)
        case .network(.offline), .network(.connectionLost), .network(.timedOut): true
        case .network, .invalidURL, .invalidKey, .invalidRequest, .invalidAnswer, .repeatedCursor, .cancelled: false
        }
    }
}
