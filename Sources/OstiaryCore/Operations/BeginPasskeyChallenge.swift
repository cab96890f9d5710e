/// Returns the options with which a passkey answers a ``Challenge``. ``AnswerChallenge`` carries its response.
///
/// Throws ``AuthError/challengeRefused`` for a token that is expired, ``AuthError/notFound`` if the account cannot answer with
/// a passkey.
public struct BeginPasskeyChallenge: AuthOperation {
    /// The ``Challenge/token`` of the challenge.
    public var challengeToken: Secret<String>

    /// Creates the operation from its parts.
    public init(challengeToken: Secret<String>) { self.challengeToken = challengeToken }
}

extension BeginPasskeyChallenge {
    /// The result of the operation if it succeeds.
    public typealias Answer = PasskeyOptions

    /// The description of this operation, ``OperationKind/beginPasskeyChallenge``.
    public static let description = OperationDescription(
        .beginPasskeyChallenge,
        summary: "Begins to answer a challenge with a passkey",
        request: FieldSet([.challengeToken]),
        answer: FieldSet([.publicKey]),
        refusals: [401, 404],
        unauthorized: .challengeRefused,
        attempts: .other,
        auditing: .never,
        endpoint: { _ in .post("/challenge/passkey") },
        takes: { _ in [.required(.challengeToken)] },
        answers: { _ in .shape(.fields([.required(.publicKey)])) })

    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.challengeToken, challengeToken)
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(challengeToken: try required(fields.secret(.challengeToken), .challengeToken))
    }
}
