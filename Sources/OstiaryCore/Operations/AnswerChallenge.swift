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
    /// The `AuthenticationResponseJSON` of a passkey in the place of an answer; nil for every other method. Source:
    /// WebAuthn Level 3 §5.1.
    public var credential: String?
    /// `true` to ask no second factor of this device for a time, where the app permits it: see ``SignedIn/deviceToken``.
    public var rememberDevice: Bool

    /// Creates the operation from its parts.
    public init(
        challengeToken: Secret<String>, answers: [String: Secret<String>] = [:], credential: String? = nil,
        rememberDevice: Bool = false, accessToken: Secret<String>? = nil
    ) {
        self.accessToken = accessToken
        self.challengeToken = challengeToken
        self.answers = answers
        self.credential = credential
        self.rememberDevice = rememberDevice
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
        request: FieldSet([.challengeToken], also: [.answers, .credential, .rememberDevice]),
        answer: .signedIn,
        refusals: [401, 403],
        unauthorized: .wrongCredentials,
        attempts: .signIn,
        needsAppAssertion: true,
        endpoint: { _ in .post("/challenge") },
        takes: { _ in
            [.required(.challengeToken), .optional(.answers), .optional(.credential), .optional(.rememberDevice)]
        },
        answers: { .same(as: .signIn, otherwise: .fields($0.tokenFields + [.optional(.user)])) })

    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.accessToken, accessToken)
        fields.set(.challengeToken, challengeToken)
        if credential == nil || !answers.isEmpty { fields[.answers] = .map(answers.mapValues { $0.reveal() }) }
        fields[.credential] = credential.map { .json($0) }
        if rememberDevice { fields[.rememberDevice] = .flag(true) }
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        let credential = try fields.json(.credential)
        var answers: [String: String] = [:]
        switch fields[.answers] {
        case .map(let given)?: answers = given
        case nil where credential != nil: break
        case nil: throw .invalid(.answers, .missing)
        default: throw .invalid(.answers, .mistyped)
        }
        self.init(
            challengeToken: try required(fields.secret(.challengeToken), .challengeToken),
            answers: answers.mapValues { Secret($0) }, credential: credential,
            rememberDevice: try fields.flag(.rememberDevice) ?? false, accessToken: try fields.secret(.accessToken))
    }
}
