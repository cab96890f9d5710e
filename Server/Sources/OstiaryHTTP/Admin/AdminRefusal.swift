import OstiaryAdminAPI
import OstiaryContracts
import OstiaryCore
import OstiaryEngine

/// The refusal of a request to the admin API: problem details. Source: RFC 9457.
///
/// Refusals of what does not exist are alike, byte for byte, whatever does not exist or is out of reach.
struct AdminRefusal: Error, Hashable {
    var status: Int
    /// The stable code.
    var code: String
    var detail: String?
    var scope: String?
    var errors: [AdminFieldError] = []
    var retryAfter: Int?
    var incident: String?
    /// The value of `allow`, for a method that the path does not take.
    var allow: String?
    /// The value of `www-authenticate`.
    var challenge: String?

    init(_ status: Int, _ code: String, detail: String? = nil, errors: [AdminFieldError] = []) {
        self.status = status
        self.code = code
        self.detail = detail
        self.errors = errors
    }

    static let notFound = AdminRefusal(404, "not_found")

    static func missing(_ scope: AdminScope) -> AdminRefusal {
        var refusal = AdminRefusal(403, "missing_scope", detail: "The key lacks the scope \(scope.rawValue).")
        refusal.scope = scope.rawValue
        return refusal
    }

    static func unavailable(incident: String?, retryAfter seconds: Int = 5) -> AdminRefusal {
        var refusal = AdminRefusal(503, "unavailable")
        refusal.incident = incident
        refusal.retryAfter = seconds
        return refusal
    }

    static func tooMany(retryAfter seconds: Int) -> AdminRefusal {
        var refusal = AdminRefusal(429, "too_many_requests")
        refusal.retryAfter = seconds
        return refusal
    }

    var response: ServerResponse {
        var problem = AdminProblemDetails()
        problem.type = "about:blank"
        problem.title = Self.title(status)
        problem.status = status
        problem.code = code
        problem.detail = detail
        problem.scope = scope
        problem.errors = errors.isEmpty ? nil : errors
        problem.retryAfter = retryAfter
        problem.incident = incident
        var headers = ["content-type": AdminMediaType.problem]
        headers["retry-after"] = retryAfter.map(String.init)
        headers["allow"] = allow
        headers["www-authenticate"] = challenge
        return ServerResponse(status: status, headers: headers, body: problem.json.bytes)
    }

    /// The phrase of a status, as `about:blank` requires. Source: RFC 9457 §4.2.1, RFC 9110 §15.
    private static func title(_ status: Int) -> String {
        switch status {
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 415: "Unsupported Media Type"
        case 417: "Expectation Failed"
        case 421: "Misdirected Request"
        case 422: "Unprocessable Content"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 503: "Service Unavailable"
        default: "Error"
        }
    }
}

extension AdminRefusal {
    init(_ problem: AdministrationProblem) {
        switch problem.reason {
        case .notFound: self = .notFound
        case .busy: self = .tooMany(retryAfter: problem.retryAfterSeconds ?? 1)
        case .invalid:
            self.init(400, problem.pointer == nil ? problem.code : "invalid_request", detail: problem.description)
        case .conflict: self.init(409, problem.code, detail: problem.description)
        case .forbidden: self.init(403, problem.code, detail: problem.description)
        }
        errors = problem.all.compactMap { problem in
            problem.pointer.map { AdminFieldError(pointer: $0, code: problem.code) }
        }
    }

    init(_ problem: AdminInputProblem) {
        switch problem {
        case .malformed: self.init(400, "malformed_request")
        case .invalid(let errors): self.init(400, "invalid_request", errors: errors)
        }
    }

    init(_ refusal: ServiceKeyRefusal) {
        switch refusal {
        case .tooMany(let seconds): self = .tooMany(retryAfter: seconds)
        case .missing:
            self.init(401, refusal.code)
            challenge = "Bearer"
        case .unknown, .revoked, .expired, .networkNotAllowed:
            self.init(401, refusal.code)
            challenge = "Bearer error=\"invalid_token\""
        }
    }

    init(_ refusal: IdempotentRequests.Refusal) {
        switch refusal {
        case .reused: self.init(422, "idempotency_key_reused")
        case .inUse(let seconds):
            self.init(409, "idempotency_key_in_use")
            retryAfter = seconds
        }
    }

    /// Creates the refusal for an error of the engine or of the store.
    ///
    /// - Parameter report: Logs an unexpected failure and returns its incident id.
    init(_ error: any Error, report: (any Error) -> String) {
        switch error {
        case let refusal as AdminRefusal: self = refusal
        case let problem as AdministrationProblem: self.init(problem)
        case let problem as AdminInputProblem: self.init(problem)
        case let refusal as ServiceKeyRefusal: self.init(refusal)
        case let refusal as IdempotentRequests.Refusal: self.init(refusal)
        case AuthError.busy(let seconds): self = .unavailable(incident: nil, retryAfter: seconds)
        case AuthError.tooManyAttempts(let seconds): self = .tooMany(retryAfter: seconds)
        case AuthError.unavailable(let incident): self = .unavailable(incident: incident)
        default: self = .unavailable(incident: report(error))
        }
    }
}
