/// The reason for which a registration or an authentication is refused, named after the step that failed.
package enum WebAuthnProblem: Error, Hashable, Sendable {
    // Reading a response. Source: WebAuthn Level 3 §5.1.

    /// The response is not JSON.
    case malformedJSON
    /// A member of the response is missing, has another type, or is not strict base64url within its limits.
    case malformedMember(ResponseMember)
    /// The members `id` and `rawId` differ.
    case identifierMismatch
    /// The member `type` is not `public-key`.
    case credentialType

    // Client data: §7.1 steps 5 to 11, §7.2 steps 8 to 14.

    /// The client data is not a JSON object.
    case clientData
    /// The client data belongs to the other ceremony.
    case ceremonyType
    /// The challenge is not the expected one.
    case challenge
    /// The origin is not in the list.
    case origin
    /// The ceremony ran in a frame that is not same-origin with its ancestors.
    case crossOrigin
    /// The client data names an origin of a top-level frame.
    case topOrigin

    // Attestation object: §7.1 steps 13 and 21.

    /// The attestation object is not strict CBOR.
    case attestationCBOR(CBORProblem)
    /// The attestation object is not a map of `fmt`, `attStmt` and `authData`.
    case attestationObject
    /// The attestation statement format is not an identifier.
    case attestationFormat
    /// The attestation statement is not a map, or is not empty where the format is `none`.
    case attestationStatement

    // Authenticator data: §6.1; §7.1 steps 14 to 20 and 25, §7.2 steps 15 to 19.

    /// The authenticator data has another length than its flags demand.
    case authenticatorData
    /// The flag AT is not set at registration, or is set at authentication.
    case attestedCredentialData
    /// The extensions are not a map in strict CBOR.
    case extensions
    /// The RP ID hash is not that of the relying party.
    case relyingPartyID
    /// The flag UP is not set.
    case userPresence
    /// The flag UV is not set.
    case userVerification
    /// The flag BS is set without BE.
    case backupState
    /// The credential id does not have 1 to 1023 bytes.
    case credentialIDLength
    /// The credential public key is not acceptable.
    case publicKey(COSEKeyProblem)
    /// The algorithm of the credential public key was not offered.
    case algorithm

    // The credential and its account: §7.2 steps 5, 6, 19, 21 and 22.

    /// The credential id is not that of the attested or stored credential.
    case credentialID
    /// The credential is not among the allowed ones.
    case credentialNotAllowed
    /// A discoverable sign-in came without a user handle.
    case userHandleMissing
    /// The user handle is not that of the account.
    case userHandle
    /// The backup eligibility is not the one at registration.
    case backupEligibility
    /// The stored public key cannot be read.
    case storedPublicKey
    /// The signature is not valid.
    case signature
    /// The signature is valid, but the signature counter is not greater than the stored one: the authenticator may be
    /// cloned. The owner is to be notified.
    case signatureCounter
}

extension WebAuthnProblem: CustomStringConvertible {
    /// The reason as a clause in English, for logs; it quotes nothing of the response.
    package var description: String {
        switch self {
        case .malformedJSON: "the response is not JSON"
        case .malformedMember(let member): "the member \(member.rawValue) cannot be read"
        case .identifierMismatch: "id and rawId differ"
        case .credentialType: "the type is not public-key"
        case .clientData: "the client data cannot be read"
        case .ceremonyType: "the client data is for another ceremony"
        case .challenge: "the challenge is not the expected one"
        case .origin: "the origin is not allowed"
        case .crossOrigin: "the ceremony ran in a cross-origin frame"
        case .topOrigin: "the client data names a top-level origin"
        case .attestationCBOR(let problem): "the attestation object cannot be read: \(problem)"
        case .attestationObject: "the attestation object does not have exactly the required members"
        case .attestationFormat: "the attestation statement format is not an identifier"
        case .attestationStatement: "the attestation statement does not fit its format"
        case .authenticatorData: "the authenticator data has a wrong length"
        case .attestedCredentialData: "the attested credential data is missing or unexpected"
        case .extensions: "the authenticator extensions cannot be read"
        case .relyingPartyID: "the RP ID is another one"
        case .userPresence: "the user was not present"
        case .userVerification: "the user was not verified"
        case .backupState: "the credential is backed up without being eligible"
        case .credentialIDLength: "the credential id does not have 1 to 1023 bytes"
        case .publicKey(let problem): "the public key is not acceptable: \(problem)"
        case .algorithm: "the algorithm was not offered"
        case .credentialID: "the credential id is another one"
        case .credentialNotAllowed: "the credential is not among the allowed ones"
        case .userHandleMissing: "the user handle is missing"
        case .userHandle: "the user handle is another one"
        case .backupEligibility: "the backup eligibility changed"
        case .storedPublicKey: "the stored public key cannot be read"
        case .signature: "the signature is not valid"
        case .signatureCounter: "the signature counter did not increase"
        }
    }
}
