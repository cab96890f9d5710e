/// Begins the attestation of a key of App Attest: returns a challenge. ``AttestKey`` completes it within five minutes.
///
/// Throws ``AuthError/notFound`` for an app without App Attest.
public struct BeginAttestation: AuthOperation {
    /// Creates the operation.
    public init() {}
}

extension BeginAttestation {
    /// The result of the operation if it succeeds.
    public typealias Answer = AttestationChallenge

    /// The description of this operation, ``OperationKind/beginAttestation``.
    public static let description = OperationDescription(
        .beginAttestation,
        summary: "Begins the attestation of an app's key",
        request: FieldSet([]),
        answer: FieldSet([.attestationChallenge]),
        refusals: [404],
        attempts: .other,
        auditing: .never,
        endpoint: { _ in .post("/attest/challenge") },
        takes: { _ in [] },
        answers: { _ in .shape(.fields([.required(.attestationChallenge)])) })

    /// The operation's parameters by canonical field name.
    public var fields: Fields { Fields() }

    /// Creates the operation from its fields.
    public init(_ fields: Fields) throws(AuthError) { self.init() }
}

/// The challenge of an attestation.
public struct AttestationChallenge: OperationAnswer {
    /// The challenge: 32 bytes in base64url. Their SHA-256 hash is the client data hash of the attestation.
    public var challenge: String

    /// Creates the answer from its parts.
    public init(challenge: String) { self.challenge = challenge }

    /// The answer's content by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.attestationChallenge, challenge)
        return fields
    }

    /// Creates the answer from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(challenge: try required(fields.text(.attestationChallenge), .attestationChallenge))
    }
}
