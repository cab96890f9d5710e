/// Answers a ``Challenge`` and continues the interrupted sign-in.
public struct AnswerChallenge: AuthOperation {
    /// The ``Challenge/token`` of the challenge that is answered.
    public var challengeToken: Secret<String>
    /// The user's input, keyed by the provider's field names, for example `NEW_PASSWORD`.
    public var answers: [String: Secret<String>]

    /// Creates the operation from its parts.
    public init(challengeToken: Secret<String>, answers: [String: Secret<String>]) {
        self.challengeToken = challengeToken
        self.answers = answers
    }

    /// The name of this operation, ``OperationKind/answerChallenge``.
    public static let kind = OperationKind.answerChallenge
    /// Calls ``AuthService/answerChallenge(_:)``.
    public func perform(by service: some AuthService) async throws(AuthError) -> SignedIn {
        try await service.answerChallenge(self)
    }
}
