import OstiaryCore

extension AuthError {
    /// The HTTP status of this refusal, the same in every contract.
    var status: Int {
        switch self {
        case .invalid, .malformedRequest, .codeRefused, .resetTokenRefused, .authorizationRefused, .redirectURIRefused,
            .registrationTokenRefused:
            400
        case .wrongCredentials, .invalidAccessToken, .sessionRevoked, .accountDisabled, .signatureRefused,
            .refreshTokenInvalid,
            .refreshTokenReused, .refreshTokenExpired, .refreshTokenRevoked, .identityTokenInvalid, .challengeRequired:
            401
        case .forbidden, .confirmationRequired, .signingKeyAlreadyIssued, .stepUpRequired: 403
        case .notFound: 404
        case .identifierTaken: 409
        case .tooManyAttempts: 429
        case .busy, .notConfigured, .unavailable: 503
        case .rejected(let status, _): status
        }
    }
}

extension AuthError {
    /// The value of `WWW-Authenticate`; nil for no header. Source: RFC 6750 §3.
    var challenge: String? {
        switch self {
        // The header of RFC 9470 §3, but with status 403: the five clients interpret every 401 as the end of the
        // session.
        case .stepUpRequired:
            "Bearer error=\"insufficient_user_authentication\", "
                + "max_age=\"\(DeleteAccount.maximumAuthenticationAgeSeconds)\""
        case _ where status != 401: nil
        case .wrongCredentials, .challengeRequired: "Bearer"
        // The token is valid. A proxy forwards this header and not the body, so the header must report the signature
        // too.
        case .signatureRefused: SignatureRefusal.challenge
        default: "Bearer error=\"invalid_token\""
        }
    }
}

/// The details of an error body, besides its code.
struct RefusalDetails {
    var retryAfterSeconds: Int
    var incident: String?
    var limit = 0
    var challenge: Challenge?
}

extension AuthError {
    /// Creates the refusal for a stable code; nil for an unknown one.
    init?(code: String, _ details: RefusalDetails) {
        let plain: [AuthError] = [
            .malformedRequest, .wrongCredentials, .invalidAccessToken, .sessionRevoked, .accountDisabled,
            .signatureRefused, .signingKeyAlreadyIssued, .stepUpRequired, .refreshTokenInvalid, .refreshTokenReused,
            .refreshTokenExpired, .refreshTokenRevoked,
            .codeRefused,
            .resetTokenRefused, .authorizationRefused, .redirectURIRefused, .identityTokenInvalid, .forbidden,
            .notFound,
            .identifierTaken, .notConfigured, .confirmationRequired, .registrationTokenRefused,
            .tooManyAttempts(retryAfterSeconds: details.retryAfterSeconds),
            .busy(retryAfterSeconds: details.retryAfterSeconds), .unavailable(incident: details.incident),
        ]
        guard code.isShortASCII(atMost: 128) else { return nil }
        if let error = plain.first(where: { $0.code == code }) {
            self = error
        } else if let challenge = details.challenge, code == AuthError.challengeRequired(challenge).code {
            self = .challengeRequired(challenge)
        } else if let (field, problem) = Self.problem(code: code, limit: details.limit) {
            self = .invalid(field, problem)
        } else {
            return nil
        }
    }

    private static func problem(code: String, limit: Int) -> (Field, FieldProblem)? {
        let problems: [FieldProblem] = [
            .missing, .mistyped, .malformed, .tooShort(minimum: limit), .tooLong(maximum: limit), .tooCommon,
            .containsIdentifier, .notSupported,
        ]
        for problem in problems where code.hasSuffix("_\(problem.code)") {
            let name = code.dropLast(problem.code.count + 1)
            if let field = Field.allCases.first(where: { $0.snakeCased == name }) { return (field, problem) }
        }
        return nil
    }
}
