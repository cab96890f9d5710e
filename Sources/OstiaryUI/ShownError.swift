import Foundation
import OstiaryClient
import OstiaryCore

/// The error of an action, in the form that the screens show.
public struct ShownError: Hashable, Sendable {
    /// The error in words, and the next step for the person.
    public let text: String
    /// The field at which the person can correct the error; `nil` if there is none.
    public let entry: AuthFields.Entry?
    /// `true` if a retry with the same input may succeed.
    public let canRetry: Bool
    /// `true` if a sign-in on this device requires a link: see ``AuthViewModel/requestDeviceLink()``.
    public let requiresDeviceLink: Bool
    /// A stable identifier of the error for metrics and logs.
    public let name: String

    /// - Parameters:
    ///   - challenge: The form of the current challenge; `nil` without one.
    ///   - isEntering: `true` for a step towards a session; `nil` if the action alone says so.
    init(
        _ failure: ClientError, of action: AuthAction, challenge: ChallengeForm? = nil, isEntering: Bool? = nil,
        screens: AuthScreens, now: Date, texts: AuthTexts
    ) {
        let isEntering = isEntering ?? action.isEntering
        // A step-up can begin again; a sign-in begins with the password.
        let isStepUpOver = failure == .refused(.challengeRefused) && !isEntering
        text =
            isStepUpOver
            ? texts(.stepUpExpired) : texts.text(of: failure, in: action, identifier: screens.identifier, now: now)
        entry = failure.entry(in: action, challenge, screens)
        canRetry = failure.mayPass || isStepUpOver
        requiresDeviceLink = failure == .refused(.deviceLinkRequired)
        name = failure.name
    }
}

extension ClientError {
    /// Returns the field at which the person can correct the error.
    fileprivate func entry(
        in action: AuthAction, _ challenge: ChallengeForm?, _ screens: AuthScreens
    ) -> AuthFields.Entry? {
        // A passkey has no field.
        guard case .refused(let refusal) = self, !action.isByPasskey else { return nil }
        switch refusal {
        case .invalid(let field, _):
            return screens.fields(of: action.form).first { $0.field == field }?.entry
                ?? (action == .form(.answerChallenge) && field == .newPassword ? .newPassword : nil)
        case .wrongCredentials where action.form.checksPassword: return .password
        case .codeRefused: return action == .form(.confirmTOTP) ? .code : challenge?.field.entry ?? .code
        case .resetTokenRefused: return .resetToken
        case .registrationTokenRefused: return .registrationToken
        case .identifierTaken: return .identifier
        default: return nil
        }
    }

    /// Returns `true` if the obstacle passes by itself, or once the person follows the text.
    fileprivate var mayPass: Bool {
        switch self {
        // A locked device; a captive portal that answered instead of the server; a browser that returned without a
        // result.
        case .store, .invalidResponse, .browserAnswer: true
        default: isRetryable
        }
    }

    /// Returns the waiting time that the server asks for; `nil` if it gave none.
    func wait(at now: Date) -> Duration? {
        switch self {
        case .refused(.tooManyAttempts(let seconds)), .refused(.proofOfWorkRequired(_, let seconds)): .seconds(seconds)
        case .rateLimited(let date): .seconds(max(0, date.timeIntervalSince(now)))
        default: nil
        }
    }
}

extension AuthAction {
    /// The form that is sent; the sign-in form for an action without one.
    var form: AuthForm { if case .form(let form) = self { form } else { .signIn } }
}
