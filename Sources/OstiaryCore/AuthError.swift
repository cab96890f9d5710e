/// The reason for which an operation was refused: one closed list that callers can switch over.
///
/// Unknown account and wrong password are deliberately one case, to prevent account enumeration; so are all the reasons
/// for which a code or a token is rejected.
public enum AuthError: Error, Hashable, Sendable {
    /// A field of the request is missing, of the wrong type or not acceptable.
    case invalid(Field, FieldProblem)
    /// An account attribute of the request, by its declared name, is not acceptable.
    case invalidAttribute(String, FieldProblem)
    /// The request cannot be parsed, or its parts do not form a meaningful request.
    case malformedRequest
    /// The identifier is unknown, the password is wrong, or the account is disabled.
    case wrongCredentials
    /// The access token is missing, unreadable, forged or expired.
    case invalidAccessToken
    /// The session was revoked: by sign-out, by a password change, by its owner or by an administrator.
    case sessionRevoked
    /// The account was disabled or deleted.
    case accountDisabled
    /// The request requires a signature and has none, or its signature is rejected: made with another key, too old,
    /// replayed, or made for another request. The error does not distinguish these.
    case signatureRefused
    /// The session's signing key was issued before, and the request carried no current refresh token of the session.
    case signingKeyAlreadyIssued
    /// The session is bound to a key, or the app requires it, and the request has no proof of the key, or one that is
    /// rejected: of another key, too old, replayed, or made for another request or access token. The error does not
    /// distinguish these. Source: RFC 9449 §7.1.
    case invalidDPoPProof
    /// The proof lacks a current nonce of the server: repeat the request with this one. Source: RFC 9449 §8.
    case useDPoPNonce(nonce: String)
    /// The app requires that sessions are bound to a key: the request that opens the session has no proof, or the session
    /// was opened without one and has ended.
    case dpopRequired
    /// The operation requires a more recent or a stronger authentication: answer the challenge, or sign in again, then
    /// repeat the operation. The session stays valid.
    case stepUpRequired(StepUpRequirement)
    /// The refresh token was not issued by this server for this app.
    case refreshTokenInvalid
    /// The refresh token was used before (replay). The whole session has been revoked.
    case refreshTokenReused
    /// The refresh token stayed unused for longer than its lifetime.
    case refreshTokenExpired
    /// The refresh token belongs to a session that was revoked.
    case refreshTokenRevoked
    /// The one-time code is wrong, expired, already used or locked after too many wrong attempts.
    case codeRefused
    /// The password reset token is wrong, expired or already used.
    case resetTokenRefused
    /// The authorization code or the state of a browser sign-in is wrong, expired or already used.
    case authorizationRefused
    /// The redirect URI is not registered for the app.
    case redirectURIRefused
    /// The identity provider's token failed verification.
    case identityTokenInvalid
    /// The sign-in requires a further step: a second factor, or a step of the identity provider.
    case challengeRequired(Challenge)
    /// The challenge token is wrong, expired or already used, or its account has changed since.
    case challengeRefused
    /// The passkey's registration failed verification.
    case credentialRefused
    /// The account's last factor cannot be removed, because the app requires one.
    case factorRequired
    /// The account has the maximum number of factors.
    case factorLimitReached
    /// The account lacks a required role.
    case forbidden
    /// No role of the account grants a required permission.
    case missingPermission
    /// An administrator acts for the account, and the operation is the owner's alone.
    case impersonated
    /// The resource does not exist, or it belongs to another account.
    case notFound
    /// The registration awaits confirmation: a message was sent to the address. The answer is the same for every
    /// address, so that it does not reveal which addresses have an account.
    case confirmationRequired
    /// The registration token is wrong or expired.
    case registrationTokenRefused
    /// Another account already has that identifier.
    case identifierTaken
    /// The rate limit is exceeded; retry after the given number of seconds.
    case tooManyAttempts(retryAfterSeconds: Int)
    /// Too many consecutive guesses at the account failed. A device that the account does not recognize signs in after the
    /// owner has opened the link that ``RequestDeviceLink`` sends. The answer is the same for identifiers without an account.
    case deviceLinkRequired
    /// The network is under suspicion: repeat the operation with the solution of the computation, or without one after the
    /// given number of seconds. The client does so by itself.
    case proofOfWorkRequired(ProofOfWork, retryAfterSeconds: Int)
    /// The server is at capacity; retry after the given number of seconds.
    case busy(retryAfterSeconds: Int)
    /// The attestation of the app's key failed verification, or its challenge is expired or used.
    case attestationRefused
    /// The operation requires an assertion of an attested app, and the request has none.
    case appAssertionRequired
    /// The request's assertion failed verification: its key is not attested, it is for another request or was used before,
    /// or the session belongs to another key. The session stays valid.
    case appAssertionRefused
    /// The app has no identity provider for this kind of sign-in.
    case notConfigured
    /// The operation failed for a reason that is not the caller's fault. The server's log has the cause under this
    /// incident id; `nil` if no server answered, or its answer has none.
    case unavailable(incident: String?)
    /// A refusal outside this list, from a backend other than Ostiary: its status and its own message.
    case rejected(status: Int, message: String)
}

extension AuthError {
    /// The stable, machine-readable name of this refusal, the same in every contract.
    public var code: String {
        switch self {
        case .invalid(let field, let problem): "\(field.snakeCased)_\(problem.code)"
        case .invalidAttribute(let name, let problem): "\(name)_\(problem.code)"
        case .malformedRequest: "malformed_request"
        case .wrongCredentials: "wrong_credentials"
        case .invalidAccessToken: "invalid_access_token"
        case .sessionRevoked: "session_revoked"
        case .accountDisabled: "account_disabled"
        case .signatureRefused: "signature_refused"
        case .signingKeyAlreadyIssued: "signing_key_already_issued"
        case .invalidDPoPProof: "invalid_dpop_proof"
        case .useDPoPNonce: "use_dpop_nonce"
        case .dpopRequired: "dpop_required"
        case .stepUpRequired: "step_up_required"
        case .refreshTokenInvalid: "refresh_token_invalid"
        case .refreshTokenReused: "refresh_token_reused"
        case .refreshTokenExpired: "refresh_token_expired"
        case .refreshTokenRevoked: "refresh_token_revoked"
        case .codeRefused: "code_refused"
        case .resetTokenRefused: "reset_token_refused"
        case .authorizationRefused: "authorization_refused"
        case .redirectURIRefused: "redirect_uri_refused"
        case .identityTokenInvalid: "identity_token_invalid"
        case .challengeRequired: "challenge_required"
        case .challengeRefused: "challenge_refused"
        case .credentialRefused: "credential_refused"
        case .factorRequired: "factor_required"
        case .factorLimitReached: "factor_limit_reached"
        case .forbidden: "forbidden"
        case .missingPermission: "missing_permission"
        case .impersonated: "impersonated"
        case .notFound: "not_found"
        case .confirmationRequired: "confirmation_required"
        case .registrationTokenRefused: "registration_token_refused"
        case .identifierTaken: "identifier_taken"
        case .tooManyAttempts: "too_many_attempts"
        case .deviceLinkRequired: "device_link_required"
        case .proofOfWorkRequired: "proof_of_work_required"
        case .busy: "busy"
        case .attestationRefused: "attestation_refused"
        case .appAssertionRequired: "app_assertion_required"
        case .appAssertionRefused: "app_assertion_refused"
        case .notConfigured: "not_configured"
        case .unavailable: "unavailable"
        case .rejected: "rejected"
        }
    }
}

extension Field {
    /// The raw value in snake case, for example `phone_number`.
    public var snakeCased: String { rawValue.snakeCased }

    /// The ``canonicalName`` in snake case.
    package var snakeCasedName: String { canonicalName.snakeCased }
}
