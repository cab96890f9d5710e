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
}

extension AnswerChallenge {
    /// The result of the operation if it succeeds.
    public typealias Answer = SignedIn

    /// The description of this operation, ``OperationKind/answerChallenge``.
    public static let description = OperationDescription(
        .answerChallenge,
        summary: "Answers the next step that a sign-in requires",
        request: FieldSet([.challengeToken, .answers]),
        answer: .signedIn,
        refusals: [401],
        unauthorized: .wrongCredentials,
        attempts: .signIn,
        endpoint: { $0.takesPasswords ? .post("/challenge") : nil },
        takes: { _ in [.required(.challengeToken), .required(.answers)] },
        answers: { .same(as: .signIn, otherwise: .fields($0.tokenFields + [.optional(.user)])) })

    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields()
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
            answers: answers.mapValues { Secret($0) })
    }
}
