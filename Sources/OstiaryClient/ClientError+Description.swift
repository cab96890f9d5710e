public import Foundation
import OstiaryCore

extension ClientError: CustomStringConvertible, LocalizedError {
    /// A text that may be shown to the user. Contains no secret.
    public var description: String {
        switch self {
        case .invalidURL(let problem): "The server's address cannot be used: \(problem)."
        case .invalidRequest(let reason): "The request cannot be sent: \(reason)\(reason.hasSuffix(".") ? "" : ".")"
        case .unsupported: "This server does not offer that."
        case .notSignedIn: PersonText.notSignedIn
        case .locked: PersonText.locked
        case .queueFull: "Too much is waiting to be sent. Try again when the connection is back."
        case .sessionEnded(.accountDisabled): PersonText.accountDisabled
        case .sessionEnded(.refreshTokenReused): PersonText.refreshTokenReused
        case .sessionEnded, .unauthorized: PersonText.sessionEnded
        case .refused(let refusal): refusal.explanation
        case .browserAnswer(.refused("access_denied")): "The sign-in was not allowed, or was given up."
        case .browserAnswer(.refused): "The identity provider refused the sign-in."
        case .browserAnswer: PersonText.browserFailed
        case .http(let status, let message): PersonText.shown(message) ?? PersonText.ofStatus(status)
        case .rateLimited: PersonText.tooManyAttempts(wait: "a moment")
        case .temporarilyUnavailable: PersonText.unavailableWithoutIncident
        case .invalidResponse: PersonText.invalidResponse
        case .decoding(let path): "The server's answer could not be understood, at \(path)."
        case .offline, .network(.offline): PersonText.offline
        case .network(.connectionLost), .network(.timedOut): PersonText.connectionLost
        case .network(.untrusted), .network(.pinMismatch), .certificatePinningFailed: PersonText.untrusted
        case .network(let error): error.description
        case .store(let problem): "What this device keeps of the sign-in cannot be used: \(problem)"
        case .passkeyExists: PersonText.passkeyExists
        case .cancelledByUser: "The sign-in was given up."
        case .cancelled: "The request was cancelled."
        }
    }

    /// The same as ``description``.
    public var errorDescription: String? { description }
}

extension AuthError {
    /// An explanation that does not depend on a contract's own texts, which only its codec knows.
    fileprivate var explanation: String {
        switch self {
        case .invalid(let field, let problem): problem.explanation(of: field.snakeCased)
        case .invalidAttribute(let name, let problem): problem.explanation(of: name)
        case .malformedRequest: PersonText.malformedRequest
        case .wrongCredentials: "The sign-in details are not correct."
        case .invalidAccessToken, .sessionRevoked, .refreshTokenInvalid, .refreshTokenExpired, .refreshTokenRevoked:
            PersonText.sessionEnded
        case .refreshTokenReused: PersonText.refreshTokenReused
        case .signatureRefused:
            "The server does not accept how this device signs. Check the date and time of the device."
        case .invalidDPoPProof, .useDPoPNonce:
            "The server does not accept the key of this device. Check the date and time of the device."
        case .dpopRequired: PersonText.dpopRequired
        case .signingKeyAlreadyIssued: PersonText.sessionEnded
        case .stepUpRequired: PersonText.stepUpRequired
        case .accountDisabled: PersonText.accountDisabled
        case .codeRefused: PersonText.codeRefused
        case .resetTokenRefused: PersonText.resetTokenRefused
        case .authorizationRefused: PersonText.authorizationRefused
        case .redirectURIRefused: PersonText.redirectURIRefused
        case .identityTokenInvalid: PersonText.identityTokenInvalid
        case .challengeRequired: "Another step is needed to sign in."
        case .challengeRefused: PersonText.challengeRefused
        case .credentialRefused: PersonText.credentialRefused
        case .factorRequired: PersonText.factorRequired
        case .factorLimitReached: PersonText.factorLimitReached
        case .forbidden, .missingPermission, .impersonated: PersonText.forbidden
        case .notFound: PersonText.notFound
        case .confirmationRequired: PersonText.confirmationRequired
        case .registrationTokenRefused: PersonText.registrationTokenRefused
        case .identifierTaken: "An account with these details already exists."
        case .tooManyAttempts(let seconds):
            PersonText.tooManyAttempts(wait: PersonText.Waiting(.seconds(seconds)).text)
        case .deviceLinkRequired: PersonText.deviceLinkRequired
        case .proofOfWorkRequired(_, let seconds):
            PersonText.tooManyAttempts(wait: PersonText.Waiting(.seconds(seconds)).text)
        case .busy: PersonText.busy
        case .attestationRefused, .appAssertionRequired, .appAssertionRefused: PersonText.appNotVerified
        case .notConfigured: PersonText.notConfigured
        case .unavailable: PersonText.unavailableWithoutIncident
        case .rejected(let status, let message): PersonText.shown(message) ?? PersonText.ofStatus(status)
        }
    }
}

extension FieldProblem {
    /// - Parameter name: The name of the field or attribute in snake case.
    fileprivate func explanation(of name: String) -> String {
        let name = name.replacing("_", with: " ")
        return switch self {
        case .missing: "The \(name) is missing."
        case .mistyped, .malformed: "The \(name) is not valid."
        case .tooShort(let minimum): "The \(name) must have at least \(minimum) characters."
        case .tooLong(let maximum): "The \(name) must have at most \(maximum) bytes."
        case .tooCommon: PersonText.tooCommon
        case .compromised: PersonText.compromised
        case .containsIdentifier: "The \(name) must not be made of your own name or address."
        case .notSupported, .unknown: "The \(name) is not supported here."
        case .tooMany(let maximum): "The \(name) must have at most \(maximum) entries."
        case .readOnly: "Only an administrator can set the \(name)."
        }
    }
}
