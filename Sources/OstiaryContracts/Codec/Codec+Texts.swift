public import OstiaryCore

extension Codec {
    /// Returns the message for a refusal: the contract's own, else the default one.
    ///
    /// - Parameter endpoint: The endpoint of the refused request, which may have its own spellings of fields.
    public func text(of error: AuthError, in endpoint: Endpoint? = nil) -> String {
        if let text = contract.messages[error.code] { return text }
        switch error {
        case .invalid(let field, let problem): return text(of: problem, in: contract.spelling(of: field, in: endpoint))
        case .invalidAttribute(let name, let problem):
            return text(of: problem, in: contract.naming.spelling(ofAttribute: name))
        case .malformedRequest: return "The request is not valid JSON of the expected form."
        case .wrongCredentials: return "The sign-in details are not correct."
        case .invalidAccessToken: return "The access token is missing, invalid or expired."
        case .sessionRevoked: return "The session has ended."
        case .accountDisabled: return "The account is disabled."
        case .signatureRefused: return "The request's signature is missing or not valid."
        case .signingKeyAlreadyIssued: return "The signing key of this session was issued before."
        case .invalidDPoPProof: return "The request's proof of its key is missing or not valid."
        case .useDPoPNonce: return "The request's proof of its key needs a current nonce."
        case .dpopRequired: return "This version of the app can no longer sign in. Update it."
        case .stepUpRequired(let requirement):
            return requirement.challenge == nil ? "Sign in again to do this." : "Confirm that it is you to do this."
        case .refreshTokenInvalid: return "The refresh token is not valid."
        case .refreshTokenReused: return "The refresh token was used before. The session has ended for safety."
        case .refreshTokenExpired: return "The refresh token has expired."
        case .refreshTokenRevoked: return "The session of this refresh token has ended."
        case .codeRefused: return "The code is not correct or no longer valid."
        case .resetTokenRefused: return "The reset token is not correct or no longer valid."
        case .authorizationRefused: return "The authorization code or state is not correct or no longer valid."
        case .redirectURIRefused: return "The redirect URI is not registered."
        case .identityTokenInvalid: return "The identity provider's token is not valid."
        case .challengeRequired: return "Another step is needed to sign in."
        case .challengeRefused: return "This step has expired or was completed before. Sign in again."
        case .credentialRefused: return "The passkey could not be verified."
        case .factorRequired: return "The account needs this second factor."
        case .factorLimitReached: return "The account has the maximum number of second factors."
        case .forbidden, .missingPermission: return "The account is not allowed to do this."
        case .impersonated: return "Only the account's owner can do this."
        case .notFound: return "There is nothing here."
        case .confirmationRequired: return "A message was sent to the address. Follow it to finish the registration."
        case .registrationTokenRefused: return "The registration token is not correct or no longer valid."
        case .identifierTaken: return "An account with these details already exists."
        case .tooManyAttempts(let seconds): return "Too many attempts. Try again in \(counting(seconds, "second"))."
        case .deviceLinkRequired:
            return "Too many attempts. Open the link that is sent to the account's address to sign in on this device."
        case .proofOfWorkRequired(_, let seconds):
            return "Too many attempts came from this network. Try again in \(counting(seconds, "second"))."
        case .busy: return "The server is busy. Try again in a moment."
        case .attestationRefused: return "The app could not be verified."
        case .appAssertionRequired: return "This needs the verified app."
        case .appAssertionRefused: return "The request could not be verified as the app's."
        case .notConfigured: return "This way of signing in is not available."
        case .unavailable: return "The service is not available at the moment. Try again in a moment."
        case .rejected(_, let message): return message
        }
    }

    /// Returns the message for a refused operation; if the operation consumes the result of a browser sign-in, the
    /// message does not suggest a retry.
    func text(of error: AuthError, to kind: OperationKind?) -> String {
        let isSpent = kind == .completeBrowserSignIn || kind == .completeSocialSignIn
        switch error {
        case .busy where isSpent, .unavailable where isSpent:
            return contract.messages[error.code]
                ?? "The sign-in could not be finished: a service behind it is not available. Begin the sign-in again."
        default: return text(of: error, in: kind.flatMap(endpoint))
        }
    }

    private func text(of problem: FieldProblem, in name: String) -> String {
        switch problem {
        case .missing: "\(name) is required."
        case .mistyped: "\(name) is of the wrong type."
        case .malformed: "\(name) is not valid."
        case .tooShort(let minimum): "\(name) must have at least \(counting(minimum, "character"))."
        case .tooLong(let maximum): "\(name) must have at most \(counting(maximum, "byte"))."
        case .tooCommon: "\(name) is used by too many people. Choose another."
        case .compromised: "\(name) is known from a breach of another service. Choose another."
        case .containsIdentifier: "\(name) must not be your own name or address."
        case .notSupported: "\(name) is not supported."
        case .tooMany(let maximum): "\(name) must have at most \(maximum) \(maximum == 1 ? "entry" : "entries")."
        case .readOnly: "\(name) can only be set by an administrator."
        case .unknown: "\(name) is not known."
        }
    }

    /// Returns a number with its noun, in the plural unless the number is 1.
    private func counting(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
