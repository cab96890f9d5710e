/// Answers a ``Challenge`` and continues the interrupted sign-in, or raises the session of a step-up.
///
/// Throws ``AuthError/challengeRefused`` for a token that is expired or used, ``AuthError/codeRefused`` for a wrong answer.
public struct AnswerChallenge: AuthOperation {
    /// The access token of the session that steps up; nil for a sign-in.
    public var accessToken: Secret<String>?
    /// The ``Challenge/token`` of the challenge that is answered.
    public var challengeToken: Secret<String>
    /// The user's input, by the raw value of a ``ChallengeMethod``, or by the provider's name of a field, for example
    /// `NEW_PASSWORD`.
    public var answers: [String: Secret<String>]

    /// Creates the operation from its parts.
    public init(
        challengeToken: Secret<String>, answers: [String: Secret<String>], accessToken: Secret<String>? = nil
    ) {
        self.accessToken = accessToken
        self.challengeToken = challengeToken
        self.answers = answers
    }
}

extension AnswerChallenge {
    /// The result of the operation if it succeeds.
    public typealias Answer = SignedIn

    /// The description of this operation, ``OperationKind/answerChallenge``.
    public static let description = OperationDescription(
        .answerChallenge,
        summary: "Answers the next step that a sign-in or a step-up requires",
        authorization: .optional,
        request: FieldSet([.challengeToken, .answers]),
        answer: .signedIn,
        refusals: [401, 403],
        unauthorized: .wrongCredentials,
        attempts: .signIn,
        endpoint: { _ in .post("/challenge") },
        takes: { _ in [.required(.challengeToken), .required(.answers)] },
        answers: { .same(as: .signIn, otherwise: .fields($0.tokenFields + [.optional(.user)])) })

    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.accessToken, accessToken)
        fields.set(.challengeToken, challengeToken)
        fields[.answers] = .map(answers.mapValues { $0.reveal() })
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        guard let value = fields[.answers] else { throw .invalid(.answers, .missing) }
        guard case .map(let answers) = value else { throw .invalid(.answers, .mistyped) }
        self.init(
            challengeToken: try required(fields.secret(.challengeToken), .challengeToken),
            answers: answers.mapValues { Secret($0) }, accessToken: try fields.secret(.accessToken))
    }
}
