/// Sends a code with which the person answers a ``Challenge``, by text message or email. ``AnswerChallenge`` carries it.
///
/// Throws ``AuthError/challengeRefused`` for a token that is expired or was answered,
/// ``AuthError/tooManyAttempts(retryAfterSeconds:)`` for a second code within a minute or a sixth within an hour.
public struct SendChallengeCode: AuthOperation {
    /// The ``Challenge/token`` of the challenge.
    public var challengeToken: Secret<String>
    /// One of ``ChallengeMethod/smsCode`` and ``ChallengeMethod/emailCode`` that the challenge offers.
    public var method: ChallengeMethod

    /// Creates the operation from its parts.
    public init(challengeToken: Secret<String>, method: ChallengeMethod) {
        self.challengeToken = challengeToken
        self.method = method
    }
}

extension SendChallengeCode {
    /// The result of the operation if it succeeds.
    public typealias Answer = Done

    /// The description of this operation, ``OperationKind/sendChallengeCode``.
    public static let description = OperationDescription(
        .sendChallengeCode,
        summary: "Sends a code that answers a challenge, by text message or email",
        request: FieldSet([.challengeToken, .method]),
        refusals: [401],
        unauthorized: .challengeRefused,
        attempts: .codeRequest,
        needsAppAssertion: true,
        endpoint: { _ in .post("/challenge/send") },
        takes: { _ in [.required(.challengeToken), .required(.method)] },
        answers: { _ in .shape(.nothing) })

    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.challengeToken, challengeToken)
        fields.set(.method, method.rawValue)
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(
            challengeToken: try required(fields.secret(.challengeToken), .challengeToken),
            method: ChallengeMethod(rawValue: try required(fields.text(.method), .method)))
    }
}
