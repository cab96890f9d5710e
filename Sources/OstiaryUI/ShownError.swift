import Foundation
import OstiaryClient
import OstiaryCore

/// Why an action did not succeed, as a person is told.
public struct ShownError: Hashable, Sendable {
    /// What happened, and what to do next.
    public let text: String
    /// The field it is about, where it can be mended; nil if none.
    public let entry: AuthFields.Entry?
    /// Whether the same may succeed when it is tried again.
    public let canRetry: Bool
    /// A stable word for counting and for logs.
    public let name: String

    init(_ failure: ClientError, of action: AuthAction, screens: AuthScreens, now: Date, texts: AuthTexts) {
        text = texts.text(of: failure, in: action, identifier: screens.identifier, now: now)
        entry = failure.entry(in: action, screens)
        canRetry = failure.mayPass
        name = failure.name
    }
}

extension ClientError {
    /// Where the person can mend it.
    fileprivate func entry(in action: AuthAction, _ screens: AuthScreens) -> AuthFields.Entry? {
        guard case .refused(let refusal) = self else { return nil }
        switch refusal {
        case .invalid(let field, _):
            return screens.fields(of: action.form).first { $0.field == field }?.entry
                ?? (action == .answerChallenge && field == .newPassword ? .newPassword : nil)
        case .wrongCredentials where action.checksPassword: return .password
        case .codeRefused: return .code
        case .resetTokenRefused: return .resetToken
        case .registrationTokenRefused: return .registrationToken
        case .identifierTaken: return .identifier
        default: return nil
        }
    }

    /// Whether what stands in the way goes away, by itself or by what the person is told to do.
    fileprivate var mayPass: Bool {
        switch self {
        // A device that is locked; a network whose own sign-in page was the answer; a browser that brought nothing.
        case .store, .invalidResponse, .browserAnswer: true
        default: isRetryable
        }
    }

    /// How long the server wants the person to wait; nil if it did not say.
    func wait(at now: Date) -> Duration? {
        switch self {
        case .refused(.tooManyAttempts(let seconds)): .seconds(seconds)
        case .rateLimited(let date): .seconds(max(0, date.timeIntervalSince(now)))
        default: nil
        }
    }
}

extension AuthAction {
    /// Whether credentials that are wrong are a password that is, of somebody who is known.
    var checksPassword: Bool { self == .changePassword || self == .deleteAccount || self == .confirmRegistration }

    fileprivate var form: AuthForm {
        switch self {
        case .register: .register
        case .confirmRegistration: .confirmRegistration
        case .requestCode: .requestCode
        case .verifyCode: .verifyCode
        case .answerChallenge: .answerChallenge
        case .requestPasswordReset: .requestPasswordReset
        case .resetPassword: .resetPassword
        case .updateProfile: .updateProfile
        case .changePassword: .changePassword
        case .deleteAccount: .deleteAccount
        default: .signIn
        }
    }
}
