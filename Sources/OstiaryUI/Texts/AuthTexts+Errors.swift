public import Foundation
public import OstiaryClient
public import OstiaryCore

extension AuthTexts {
    /// Returns the text for a failed action: the cause and the next step.
    ///
    /// - Parameters:
    ///   - failure: The error of the action; the text is empty for a cancellation.
    ///   - action: The action that failed.
    ///   - identifier: The identifier for signing in; `nil` if the app has no sign-in by password.
    ///   - now: The time from which waiting times are measured.
    public func text(
        of failure: ClientError, in action: AuthAction, identifier: Field? = .email, now: Date = Date()
    ) -> String {
        switch failure {
        case .refused(let refusal): text(of: refusal, in: action, identifier)
        case .sessionEnded(.accountDisabled): self(.accountDisabled)
        case .sessionEnded(.refreshTokenReused): self(.refreshTokenReused)
        case .sessionEnded, .unauthorized: self(.sessionEnded)
        case .http(let status, let message):
            status >= 500 ? self(.unavailableWithoutIncident) : message.isEmpty ? self(.rejected) : Self.cut(message)
        case .rateLimited: self(.tooManyAttempts, ["wait": wait(failure.wait(at: now) ?? .zero)])
        case .temporarilyUnavailable: self(.unavailableWithoutIncident)
        case .invalidResponse, .decoding: self(.invalidResponse)
        case .offline, .network(.offline): self(.offline)
        case .network(.untrusted), .network(.pinMismatch), .certificatePinningFailed: self(.untrusted)
        case .network: self(.connectionLost)
        case .store: self(.store)
        case .locked: self(action == .unlock ? .unlockFailed : .locked)
        case .queueFull: self(.offline)
        case .notSignedIn: self(.notSignedIn)
        case .browserAnswer: self(.browserFailed)
        case .invalidURL, .invalidRequest, .unsupported: self(.appMistake)
        case .passkeyExists: self(.passkeyExists)
        case .cancelled, .cancelledByUser: ""
        }
    }

    private func text(of refusal: AuthError, in action: AuthAction, _ identifier: Field?) -> String {
        switch refusal {
        case .invalid(let field, let problem): text(of: problem, in: field)
        // No screen has a field for an attribute of the app.
        case .invalidAttribute: self(.malformed)
        case .wrongCredentials where action.isByPasskey, .codeRefused where action.isByPasskey:
            self(.credentialRefused)
        case .codeRefused where action == .form(.confirmTOTP): self(.authenticatorCodeRefused)
        case .notFound where action == .form(.confirmTOTP): self(.authenticatorExpired)
        case .notFound where action == .addTOTP || action == .addPasskey: self(.factorUnavailable)
        case .wrongCredentials: self(wrongCredentials(action, identifier))
        case .identifierTaken: self(identifierTaken(identifier))
        case .invalidAccessToken, .sessionRevoked, .refreshTokenInvalid, .refreshTokenExpired, .refreshTokenRevoked,
            .signingKeyAlreadyIssued:
            self(.sessionEnded)
        case .tooManyAttempts(let seconds), .proofOfWorkRequired(_, let seconds):
            self(.tooManyAttempts, ["wait": wait(.seconds(seconds))])
        case .unavailable(nil): self(.unavailableWithoutIncident)
        case .unavailable(let incident?): self(.unavailable, ["incident": Self.cut(incident)])
        case .invalidDPoPProof, .useDPoPNonce: self(.rejected)
        case .missingPermission, .impersonated: self(.forbidden)
        case .attestationRefused, .appAssertionRequired, .appAssertionRefused: self(.appNotVerified)
        // A backend without error codes provides the message.
        case .rejected(_, let message): message.isEmpty ? self(.rejected) : Self.cut(message)
        default: self(TextKey(rawValue: refusal.code) ?? .rejected)
        }
    }

    private func wrongCredentials(_ action: AuthAction, _ identifier: Field?) -> TextKey {
        if action.form.checksPassword { return .wrongPassword }
        return switch identifier {
        case .phoneNumber: .wrongCredentialsPhoneNumber
        case .username: .wrongCredentialsUsername
        default: .wrongCredentials
        }
    }

    private func identifierTaken(_ identifier: Field?) -> TextKey {
        switch identifier {
        case .phoneNumber: .identifierTakenPhoneNumber
        case .username: .identifierTakenUsername
        default: .identifierTaken
        }
    }

    /// Limits a message from the server to 500 characters.
    private static func cut(_ text: String) -> String { String(text.prefix(500)) }
}
