/// A question to another system, whose answer the engine waits for.
public struct Hook: Sendable {
    /// The decision if there is no answer that can be used.
    public var onFailure: FailurePolicy
    /// Sends the question, a JSON object, and returns the body of the answer. Throws if there is no successful answer in time.
    public var ask: @Sendable (_ question: [UInt8]) async throws -> [UInt8]

    /// The decision without an answer.
    public enum FailurePolicy: String, CaseIterable, Hashable, Sendable {
        /// The operation fails, as in any outage: the client repeats it, and keeps its session.
        case deny
        /// The operation goes on without the answer.
        case allow
    }

    /// The time limit of an answer.
    public static let timeout: Duration = .seconds(2)
    /// The maximum size of an answer, in bytes.
    public static let maximumAnswerBytes = 4096

    /// Creates a hook from its parts.
    public init(
        onFailure: FailurePolicy = .deny,
        ask: @escaping @Sendable (_ question: [UInt8]) async throws -> [UInt8]
    ) {
        self.onFailure = onFailure
        self.ask = ask
    }
}

/// The hooks of an app; none by default. Administration and import ask none.
public struct Hooks: Sendable {
    /// Asked before an account is created.
    public var beforeRegistration: Hook?
    /// Asked for further claims before an access token is issued.
    public var tokenClaims: Hook?

    /// Creates hooks from their parts.
    public init(beforeRegistration: Hook? = nil, tokenClaims: Hook? = nil) {
        self.beforeRegistration = beforeRegistration
        self.tokenClaims = tokenClaims
    }
}

/// An answer of a hook that cannot be used.
public enum HookProblem: Error, Hashable, Sendable {
    /// The answer is not the JSON object that the hook must answer, or is too large.
    case malformedAnswer
    /// The answer has a claim that the server itself sets.
    case reservedClaim
    /// The claims of the answer have more than ``TokenClaims/maximumBytes``.
    case tooManyClaims
}
