/// Answers a ``Challenge`` and goes on with the sign-in it interrupted.
public struct AnswerChallenge: AuthOperation {
    public var challengeToken: Secret<String>
    /// The provider's names and what the person typed for each, for example `NEW_PASSWORD`.
    public var answers: [String: Secret<String>]

    public init(challengeToken: Secret<String>, answers: [String: Secret<String>]) {
        self.challengeToken = challengeToken
        self.answers = answers
    }

    public static let kind = OperationKind.answerChallenge
    public func perform(by service: some AuthService) async throws(AuthError) -> SignedIn {
        try await service.answerChallenge(self)
    }
}
