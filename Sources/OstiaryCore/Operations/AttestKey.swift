/// Registers a key that App Attest has attested. The operations whose description ``OperationDescription/needsAppAssertion``
/// then carry its assertions.
///
/// Throws ``AuthError/attestationRefused`` for an attestation that does not pass the verification, and for a challenge that
/// is expired or used; ``AuthError/notFound`` for an app without App Attest.
public struct AttestKey: AuthOperation {
    /// The key id: the SHA-256 hash of the public key, in base64url.
    public var keyID: String
    /// The attestation object of App Attest, in base64url.
    public var attestation: String
    /// The ``AttestationChallenge/challenge`` that was attested.
    public var challenge: String

    /// The maximum length of an attestation, in bytes of base64url.
    public static let maximumAttestationBytes = 21_846

    /// Creates the operation from its parts.
    public init(keyID: String, attestation: String, challenge: String) {
        self.keyID = keyID
        self.attestation = attestation
        self.challenge = challenge
    }
}

extension AttestKey {
    /// The result of the operation if it succeeds.
    public typealias Answer = Done

    /// The description of this operation, ``OperationKind/attestKey``.
    public static let description = OperationDescription(
        .attestKey,
        summary: "Registers an attested key of the app",
        request: FieldSet([.keyId, .attestation, .attestationChallenge]),
        refusals: [403, 404],
        attempts: .other,
        endpoint: { _ in .post("/attest") },
        takes: { _ in [.required(.keyId), .required(.attestation), .required(.attestationChallenge)] },
        answers: { _ in .shape(.nothing) })

    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.keyId, keyID)
        fields.set(.attestation, attestation)
        fields.set(.attestationChallenge, challenge)
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(
            keyID: try required(fields.text(.keyId), .keyId),
            attestation: try required(fields.text(.attestation), .attestation),
            challenge: try required(fields.text(.attestationChallenge), .attestationChallenge))
    }
}
