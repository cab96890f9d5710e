/// Why an operation was refused: the one closed list a caller can act on.
///
/// Unknown account and wrong password are one case on purpose; so are all ways in which a code or a token is no good.
public enum AuthError: Error, Hashable, Sendable {
    /// A field of the request is missing, mistyped or not acceptable.
    case invalid(Field, FieldProblem)
    /// The request cannot be read at all, or asks for something that makes no sense.
    case malformedRequest
    /// The identifier is unknown, the password is wrong, or the account is disabled.
    case wrongCredentials
    /// The access token is missing, unreadable, forged or expired.
    case invalidAccessToken
    /// The session was ended: by sign-out, by a password change, by its owner or by an administrator.
    case sessionRevoked
    /// The account was disabled or deleted.
    case accountDisabled
    /// The request must be signed and is not, or its signature is no good: made with another key, too old, used before, or
    /// for another request. Which of these is not told.
    case signatureRefused
    /// The session's signing key was issued before, and no current refresh token of the session was presented.
    case signingKeyAlreadyIssued
    /// The operation asks for an authentication within the last ``DeleteAccount/maximumAuthenticationAgeSeconds``: sign in
    /// again, then repeat it. The session goes on.
    case stepUpRequired
    /// The refresh token is none of ours.
    case refreshTokenInvalid
    /// The refresh token was used before. The whole session has been revoked.
    case refreshTokenReused
    /// The refresh token was not used for longer than it lives.
    case refreshTokenExpired
    /// The refresh token belongs to a session that was ended.
    case refreshTokenRevoked
    /// The one-time code is wrong, expired, spent or worn out by wrong tries.
    case codeRefused
    /// The password reset token is wrong, expired or spent.
    case resetTokenRefused
    /// The authorization code or the state of a browser sign-in is wrong, expired or spent.
    case authorizationRefused
    /// The redirect URI is not registered for the app.
    case redirectURIRefused
    /// The identity provider's token is no good.
    case identityTokenInvalid
    /// The identity provider asks for another step before it lets the person in.
    case challengeRequired(Challenge)
    /// The account lacks a role.
    case forbidden
    /// There is no such thing, or it belongs to somebody else.
    case notFound
    /// The registration waits for its owner: a message was sent to the address. Said to everyone alike, so that nobody
    /// learns whether the address has an account.
    case confirmationRequired
    /// The registration token is wrong or expired.
    case registrationTokenRefused
    /// Another account has that identifier.
    case identifierTaken
    /// Too many attempts; try again after so many seconds.
    case tooManyAttempts(retryAfterSeconds: Int)
    /// More work than the server takes on at once; try again after so many seconds.
    case busy(retryAfterSeconds: Int)
    /// The app has no identity provider for this way of signing in.
    case notConfigured
    /// Something failed that is not the caller's doing. The server's log has the cause under this id.
    case unavailable(incident: String)
    /// A refusal that this list does not know, from a backend that is not ours: its status and its own words.
    case rejected(status: Int, message: String)
}

/// A next step that an identity provider asks for, such as a new password or a second factor.
public struct Challenge: Hashable, Sendable {
    /// The provider's name for it, for example `NEW_PASSWORD_REQUIRED`.
    public var name: String
    /// What ``AnswerChallenge`` must carry.
    public var token: Secret<String>

    public init(name: String, token: Secret<String>) {
        self.name = name
        self.token = token
    }
}

extension AuthError {
    /// The stable, machine-readable name of this refusal, the same in every contract.
    public var code: String {
        switch self {
        case .invalid(let field, let problem): "\(field.snakeCased)_\(problem.code)"
        case .malformedRequest: "malformed_request"
        case .wrongCredentials: "wrong_credentials"
        case .invalidAccessToken: "invalid_access_token"
        case .sessionRevoked: "session_revoked"
        case .accountDisabled: "account_disabled"
        case .signatureRefused: "signature_refused"
        case .signingKeyAlreadyIssued: "signing_key_already_issued"
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
        case .forbidden: "forbidden"
        case .notFound: "not_found"
        case .confirmationRequired: "confirmation_required"
        case .registrationTokenRefused: "registration_token_refused"
        case .identifierTaken: "identifier_taken"
        case .tooManyAttempts: "too_many_attempts"
        case .busy: "busy"
        case .notConfigured: "not_configured"
        case .unavailable: "unavailable"
        case .rejected: "rejected"
        }
    }
}

extension Field {
    /// The name in snake case, for example `phone_number`.
    public var snakeCased: String {
        var text = ""
        for scalar in rawValue.unicodeScalars {
            if scalar.properties.isUppercase { text += "_" }
            text += scalar.properties.lowercaseMapping
        }
        return text
    }
}
