package import OstiaryCore

extension AuthError {
    /// The HTTP status of this refusal, the same in every contract.
    var status: Int {
        switch self {
        case .invalid, .invalidAttribute, .malformedRequest, .codeRefused, .resetTokenRefused, .authorizationRefused,
            .redirectURIRefused,
            .registrationTokenRefused, .credentialRefused:
            400
        case .wrongCredentials, .invalidAccessToken, .sessionRevoked, .accountDisabled, .signatureRefused,
            .refreshTokenInvalid,
            .refreshTokenReused, .refreshTokenExpired, .refreshTokenRevoked, .identityTokenInvalid, .challengeRequired,
            .challengeRefused, .invalidDPoPProof, .useDPoPNonce, .dpopRequired:
            401
        case .forbidden, .missingPermission, .impersonated, .confirmationRequired, .signingKeyAlreadyIssued,
            .stepUpRequired, .attestationRefused, .appAssertionRequired, .appAssertionRefused:
            403
        case .notFound: 404
        case .identifierTaken, .factorRequired, .factorLimitReached: 409
        case .tooManyAttempts, .deviceLinkRequired, .proofOfWorkRequired: 429
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
        case .stepUpRequired(let requirement): requirement.header
        case _ where status != 401: nil
        case .wrongCredentials, .challengeRequired, .challengeRefused: "Bearer"
        case .invalidDPoPProof, .useDPoPNonce: DPoPHeader.challenge(error: code)
        case .dpopRequired: DPoPHeader.challenge(error: nil)
        // The token is valid. A proxy forwards this header and not the body, so the header must report the signature
        // too.
        case .signatureRefused: SignatureRefusal.challenge
        default: "Bearer error=\"invalid_token\""
        }
    }
}

extension StepUpRequirement {
    /// Reads the requirement from the value of `WWW-Authenticate`. Parameters that cannot be read are left out.
    package init(challenge: Challenge?, header: String) {
        self.init(challenge: challenge)
        guard header.isShortASCII(atMost: 1024) else { return }
        for parameter in header.split(whereSeparator: { $0 == " " || $0 == "," }) {
            let parts = parameter.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let value = parts[1].trimmingPrefix("\"").prefix { $0 != "\"" }
            switch parts[0] {
            case "acr_values": level = AuthenticationLevel(rawValue: String(value))
            case "max_age": maximumAgeSeconds = Int(value)
            default: break
            }
        }
    }

    /// The value of `WWW-Authenticate`. Source: RFC 9470 §3.
    package var header: String {
        var parameters = ["error=\"insufficient_user_authentication\""]
        if let level { parameters.append("acr_values=\"\(level.rawValue)\"") }
        if let maximumAgeSeconds { parameters.append("max_age=\"\(maximumAgeSeconds)\"") }
        return "Bearer " + parameters.joined(separator: ", ")
    }
}

/// The details of an error body, besides its code.
struct RefusalDetails {
    var retryAfterSeconds: Int
    var incident: String?
    var limit = 0
    var challenge: Challenge?
    var stepUp = StepUpRequirement()
    var proofOfWork: ProofOfWork?
    var nonce = ""
}

extension AuthError {
    /// Creates the refusal for a stable code; nil for an unknown one.
    init?(code: String, _ details: RefusalDetails) {
        let plain: [AuthError] = [
            .malformedRequest, .wrongCredentials, .invalidAccessToken, .sessionRevoked, .accountDisabled,
            .signatureRefused, .signingKeyAlreadyIssued, .refreshTokenInvalid, .refreshTokenReused,
            .refreshTokenExpired, .refreshTokenRevoked,
            .codeRefused,
            .resetTokenRefused, .authorizationRefused, .redirectURIRefused, .identityTokenInvalid, .forbidden,
            .missingPermission, .impersonated, .notFound,
            .challengeRefused, .credentialRefused, .factorRequired, .factorLimitReached, .identifierTaken,
            .attestationRefused, .appAssertionRequired, .appAssertionRefused, .notConfigured, .confirmationRequired,
            .registrationTokenRefused, .deviceLinkRequired,
            .tooManyAttempts(retryAfterSeconds: details.retryAfterSeconds),
            .busy(retryAfterSeconds: details.retryAfterSeconds), .unavailable(incident: details.incident),
            .stepUpRequired(details.stepUp), .invalidDPoPProof, .useDPoPNonce(nonce: details.nonce), .dpopRequired,
        ]
        guard code.isShortASCII(atMost: 128) else { return nil }
        if let error = plain.first(where: { $0.code == code }) {
            self = error
        } else if let challenge = details.challenge, code == AuthError.challengeRequired(challenge).code {
            self = .challengeRequired(challenge)
        } else if let work = details.proofOfWork,
            case let refusal = AuthError.proofOfWorkRequired(work, retryAfterSeconds: details.retryAfterSeconds),
            code == refusal.code
        {
            self = refusal
        } else if let (field, problem) = Self.problem(code: code, limit: details.limit) {
            self = .invalid(field, problem)
        } else {
            return nil
        }
    }

    /// Creates the refusal of an account attribute for a stable code; nil for a code of another form.
    init?(attributeCode code: String, limit: Int) {
        guard code.isShortASCII(atMost: 128),
            let (name, problem) = Self.split(code, limit: limit).first(where: { AttributeDefinition.isName($0.name) })
        else { return nil }
        self = .invalidAttribute(String(name), problem)
    }

    private static func problem(code: String, limit: Int) -> (Field, FieldProblem)? {
        for (name, problem) in split(code, limit: limit) {
            if let field = Field.allCases.first(where: { $0.snakeCased == name }) { return (field, problem) }
        }
        return nil
    }

    /// Returns the name and the problem of a code, for each problem with whose code it ends.
    private static func split(_ code: String, limit: Int) -> [(name: Substring, problem: FieldProblem)] {
        let problems: [FieldProblem] = [
            .missing, .mistyped, .malformed, .tooShort(minimum: limit), .tooLong(maximum: limit), .tooCommon,
            .compromised, .containsIdentifier, .notSupported, .tooMany(maximum: limit), .readOnly, .unknown,
        ]
        return problems.filter { code.hasSuffix("_\($0.code)") }.map { (code.dropLast($0.code.count + 1), $0) }
    }
}
