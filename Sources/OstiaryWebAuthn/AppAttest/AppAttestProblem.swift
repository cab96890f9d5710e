/// The reason for which an attestation or an assertion is refused, named after the step that failed. Source: Apple,
/// "Validating apps that connect to your server". The raw value is a label of metrics.
package enum AppAttestProblem: String, Error, Hashable, Sendable {
    // The attestation object.

    /// The attestation object is too long or not strict CBOR, or it lacks a member.
    case attestationObject = "attestation_object"
    /// The attestation statement format is not `apple-appattest`.
    case attestationFormat = "attestation_format"
    /// The attestation statement does not have exactly two certificates.
    case certificateCount = "certificate_count"
    /// A certificate is not one of the profile that App Attest uses.
    case certificate
    /// A certificate is not valid yet, or not any more.
    case certificateValidity = "certificate_validity"
    /// A certificate is used for a purpose that it does not have.
    case certificateUsage = "certificate_usage"
    /// The certificates do not lead to the root certificate.
    case certificateSignature = "certificate_signature"
    /// The certificate's nonce is missing, or not that of the challenge and the authenticator data.
    case nonce
    /// The attested key is not the one of the certificate, or not on the curve P-256.
    case publicKey = "public_key"
    /// The key id is not the hash of the public key.
    case keyID = "key_id"
    /// The authenticator data is too short.
    case authenticatorData = "authenticator_data"
    /// The RP ID is none of the app's App IDs.
    case appID = "app_id"
    /// The counter of a new key is not 0, or that of an assertion did not increase.
    case counter
    /// The key belongs to the other environment.
    case environment
    /// The credential id is not the key id.
    case credentialID = "credential_id"

    // The assertion.

    /// The assertion is too long or not strict CBOR, or it lacks a member.
    case assertion
    /// The stored public key cannot be read.
    case storedPublicKey = "stored_public_key"
    /// The signature is not valid.
    case signature
}

extension AppAttestProblem: CustomStringConvertible {
    /// The reason as a clause in English, for logs; it quotes nothing of the request.
    package var description: String {
        switch self {
        case .attestationObject: "the attestation object cannot be read"
        case .attestationFormat: "the attestation statement format is another one"
        case .certificateCount: "the attestation statement does not have two certificates"
        case .certificate: "a certificate cannot be read"
        case .certificateValidity: "a certificate is not valid at this time"
        case .certificateUsage: "a certificate is used for another purpose"
        case .certificateSignature: "the certificates do not lead to the root certificate"
        case .nonce: "the nonce is not that of the challenge"
        case .publicKey: "the attested key is not that of the certificate"
        case .keyID: "the key id is not the hash of the public key"
        case .authenticatorData: "the authenticator data is too short"
        case .appID: "the App ID is another one"
        case .counter: "the counter is not the expected one"
        case .environment: "the key belongs to another environment"
        case .credentialID: "the credential id is not the key id"
        case .assertion: "the assertion cannot be read"
        case .storedPublicKey: "the stored public key cannot be read"
        case .signature: "the signature is not valid"
        }
    }
}
