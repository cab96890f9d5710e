public import Foundation
import OstiaryCore

extension ClientError: CustomStringConvertible, LocalizedError {
    /// What a person can be shown. Holds no secret.
    public var description: String {
        switch self {
        case .invalidURL(let problem): "The server's address cannot be used: \(problem)."
        case .invalidRequest(let reason): "The request cannot be sent: \(reason)\(reason.hasSuffix(".") ? "" : ".")"
        case .unsupported: "This server does not offer that."
        case .notSignedIn: "Nobody is signed in."
        case .locked: "Unlock the app to go on."
        case .queueFull: "Too much is waiting to be sent. Try again when the connection is back."
        case .sessionEnded(let reason): reason.whyTheSessionEnded
        case .refused(let refusal): refusal.explanation
        case .browserAnswer(.refused("access_denied")): "The sign-in was not allowed, or was given up."
        case .browserAnswer(.refused): "The identity provider refused the sign-in."
        case .browserAnswer: "The sign-in in the browser did not come to its end. Try again."
        case .unauthorized: "The server does not allow this with your sign-in."
        case .http(let status, let message): PersonText.shown(message) ?? PersonText.ofStatus(status)
        case .rateLimited: "That was too much at once. Try again in a moment."
        case .temporarilyUnavailable: "The service is not available at the moment. Try again in a moment."
        case .invalidResponse: "The server's answer could not be understood."
        case .decoding(let path): "The server's answer could not be understood, at \(path)."
        case .offline: "The server cannot be reached. Check the connection to the internet."
        case .network(let error): error.description
        case .certificatePinningFailed:
            "The connection is not safe: the server has none of the keys that this app trusts. Nothing was sent."
        case .store(let problem): "What this device keeps of the sign-in cannot be used: \(problem)"
        case .cancelledByUser: "The sign-in was given up."
        case .cancelled: "The request was cancelled."
        }
    }

    public var errorDescription: String? { description }
}

extension AuthError {
    fileprivate var whyTheSessionEnded: String {
        switch self {
        case .accountDisabled: "This account is disabled."
        case .refreshTokenReused: "For safety you were signed out. Sign in again."
        default: "You have been signed out. Sign in again."
        }
    }

    /// Said without a contract's own words, which only its codec knows.
    fileprivate var explanation: String {
        switch self {
        case .invalid(let field, let problem): problem.explanation(of: field)
        case .malformedRequest: "The server did not accept what was sent."
        case .wrongCredentials: "The sign-in details are not correct."
        case .invalidAccessToken, .sessionRevoked, .refreshTokenInvalid, .refreshTokenReused, .refreshTokenExpired,
            .refreshTokenRevoked:
            "The server does not accept your sign-in any more. Sign in again."
        case .signatureRefused:
            "The server does not accept how this device signs. Check the date and time of the device."
        case .accountDisabled: "This account is disabled."
        case .codeRefused: "The code is not correct or no longer valid."
        case .resetTokenRefused: "The link to reset the password is no longer valid. Ask for another."
        case .authorizationRefused, .redirectURIRefused, .identityTokenInvalid:
            "The sign-in did not succeed. Try again."
        case .challengeRequired: "Another step is needed to sign in."
        case .forbidden: "This account is not allowed to do this."
        case .notFound: "There is nothing here."
        case .confirmationRequired: "A message was sent to the address. Follow it to finish the registration."
        case .registrationTokenRefused: "The link to finish the registration is no longer valid. Register again."
        case .identifierTaken: "An account with these details already exists."
        case .tooManyAttempts(let seconds), .busy(let seconds):
            "That was too much at once. Try again in \(seconds == 1 ? "a second" : "\(seconds) seconds")."
        case .notConfigured: "This way of signing in is not available."
        case .unavailable: "The service is not available at the moment. Try again in a moment."
        case .rejected(let status, let message): PersonText.shown(message) ?? PersonText.ofStatus(status)
        }
    }
}

extension FieldProblem {
    fileprivate func explanation(of field: Field) -> String {
        let name = field.snakeCased.replacing("_", with: " ")
        return switch self {
        case .missing: "The \(name) is missing."
        case .mistyped, .malformed: "The \(name) is not valid."
        case .tooShort(let minimum): "The \(name) must have at least \(minimum) characters."
        case .tooLong(let maximum): "The \(name) must have at most \(maximum) bytes."
        case .tooCommon: "Many people use this \(name). Choose another."
        case .containsIdentifier: "The \(name) must not be made of your own name or address."
        }
    }
}
