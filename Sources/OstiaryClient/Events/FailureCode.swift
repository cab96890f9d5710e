public import OstiaryCore

/// A stable, machine-readable identifier of a failure, as used by events, logs and metrics.
///
/// It is derived from one of this package's errors or is a literal in source code, so that no text from a server, a
/// file name or a user can appear in it.
public struct FailureCode: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The identifier: lower-case ASCII, digits and underscores, for example `refresh_token_reused` or `http_503`.
    public let text: String

    /// Creates a code from a literal.
    public init(stringLiteral value: StaticString) { text = value.description }

    private init(status: Int) { text = (100...599).contains(status) ? "http_\(status)" : "http_other" }

    private init(code: String) { text = code }

    /// The same as ``text``.
    public var description: String { text }

    /// Returns the code for an answer's status outside 200 to 299: `http_` and the status, or `http_other` outside 100
    /// to 599.
    public static func http(_ status: Int) -> FailureCode { FailureCode(status: status) }

    /// Creates the code of a server's refusal: of one with its own message, the status alone.
    public init(_ error: AuthError) {
        if case .rejected(let status, _) = error { self.init(status: status) } else { self.init(code: error.code) }
    }

    /// Creates the code of a transport error.
    public init(_ error: TransportError) {
        self =
            switch error {
            case .offline: "offline"
            case .connectionLost: "connection_lost"
            case .timedOut: "timed_out"
            case .untrusted: "untrusted"
            case .pinMismatch: "pin_mismatch"
            case .tooLarge: "answer_too_large"
            case .notHTTP: "not_http"
            case .unsendable: "unsendable"
            case .wouldBeProxied: "would_be_proxied"
            case .cancelled: "cancelled"
            }
    }

    /// Creates the code of a store problem, without the path, which may contain a user's name.
    public init(_ problem: StoreProblem) {
        self =
            switch problem {
            case .notPrivate: "store_not_private"
            case .damaged: "store_damaged"
            case .newerVersion: "store_of_newer_version"
            case .busy: "store_busy"
            case .system: "store_refused"
            case .sealingKey: "store_sealed"
            case .keychain: "keychain_refused"
            case .enrolmentChanged: "store_of_other_enrolment"
            }
    }

    /// Creates the code of a client error; of a wrapped error, the wrapped one's code.
    public init(_ error: ClientError) {
        self =
            switch error {
            case .invalidURL: "invalid_url"
            case .invalidRequest: "invalid_request"
            case .unsupported: "unsupported"
            case .notSignedIn: "not_signed_in"
            case .locked: "locked"
            case .queueFull: "queue_full"
            case .browserAnswer(let problem): FailureCode(problem)
            case .sessionEnded(let refusal), .refused(let refusal): FailureCode(refusal)
            case .unauthorized: "unauthorized"
            case .http(let status, _): .http(status)
            case .rateLimited: "rate_limited"
            case .temporarilyUnavailable: "temporarily_unavailable"
            case .invalidResponse: "invalid_response"
            case .decoding: "decoding"
            case .offline: "offline"
            case .network(let error): FailureCode(error)
            case .certificatePinningFailed: "pin_mismatch"
            case .store(let problem): FailureCode(problem)
            case .passkeyExists: "passkey_exists"
            case .cancelledByUser: "cancelled_by_user"
            case .cancelled: "cancelled"
            }
    }

    /// Creates the code of a callback problem, without the text that a web page wrote into the URL.
    public init(_ problem: BrowserCallbackProblem) {
        self =
            switch problem {
            case .foreign: "callback_foreign"
            case .foreignState: "callback_foreign_state"
            case .malformed: "callback_malformed"
            case .tooLong: "callback_too_long"
            case .refused("access_denied"): "provider_denied"
            case .refused: "provider_refused"
            }
    }

    /// Creates the code of a sign-out's reason; of an end by the server, the refusal's code.
    public init(_ reason: SignedOutReason) {
        self =
            switch reason {
            case .notSignedIn: "not_signed_in"
            case .signedOut: "signed_out"
            case .ended(let refusal): FailureCode(refusal)
            case .elsewhere: "elsewhere"
            case .notRecognised: "not_recognised"
            }
    }
}
