/// The outcome of an attempt to unlock a session.
enum UnlockOutcome: Hashable, Sendable {
    /// The session is unlocked. The value is the device's enrolment, to be stored with the session; `nil` if it is not
    /// known.
    case open(BiometricEnrolment?)
    /// The session stays locked; another prompt may succeed.
    case closed(UnlockProblem)
    /// The session can no longer be unlocked and must end; its owner has to sign in again.
    case signInNeeded(AppLockEnd)
}

/// The reason for which a session stays locked.
enum UnlockProblem: Hashable, Sendable {
    /// The person cancelled the prompt, or every waiting task was cancelled.
    case cancelled
    /// The device did not recognise the person.
    case failed
    /// Too many attempts failed; the device requires its passcode first.
    case lockedOut
    /// The device cannot prompt at the moment.
    case unavailable
    /// The prompt was invalidated while it was shown: the app left the foreground, or locked the session.
    case interrupted
}

/// The reason for which a session can never be unlocked again.
public enum AppLockEnd: Hashable, Sendable {
    /// The device's enrolment differs from that at sign-in: a person who has the passcode could have added a face or
    /// finger.
    case enrolmentChanged
    /// The device has no face, no finger and no passcode enrolled, and so cannot prompt.
    case notEnrolled
}

/// The result of checking the person who holds the device.
enum PresenceCheckResult: Hashable, Sendable {
    case passed(BiometricEnrolment?)
    case closed(UnlockProblem)
    case signInNeeded(AppLockEnd)

    /// Prompts the person, unless the readiness shows that no answer would unlock the session.
    ///
    /// - Parameter known: The enrolment of the device at sign-in.
    init(asking biometricPrompt: any BiometricPrompt, _ reason: String, knowing known: BiometricEnrolment?) async {
        var known = known
        switch await biometricPrompt.readiness() {
        case .ready(let enrolment):
            guard Self.matches(enrolment, to: known) else {
                self = .signInNeeded(.enrolmentChanged)
                return
            }
            // Another version of the system may have another form for the same enrolment. From here on this form is
            // compared, so that a face or finger added during the prompt is detected.
            if known != nil, let enrolment, enrolment != .unknown { known = enrolment }
        case .notEnrolled:
            self = .signInNeeded(known == nil ? .notEnrolled : .enrolmentChanged)
            return
        case .lockedOut:
            self = .closed(.lockedOut)
            return
        case .unavailable:
            self = .closed(.unavailable)
            return
        }
        self =
            switch await biometricPrompt.ask(reason) {
            // Compared again: a face or finger that was enrolled during the prompt may have passed it.
            case .passed(let enrolment):
                if Self.matches(enrolment, to: known) {
                    .passed(enrolment == .unknown ? known : enrolment)
                } else {
                    .signInNeeded(.enrolmentChanged)
                }
            case .cancelled: .closed(.cancelled)
            case .failed: .closed(.failed)
            case .lockedOut: .closed(.lockedOut)
            case .unavailable: .closed(.unavailable)
            }
    }

    private static func matches(_ enrolment: BiometricEnrolment?, to known: BiometricEnrolment?) -> Bool {
        guard let known else { return true }
        return enrolment.map { !$0.isOther(than: known) } ?? false
    }
}

extension UnlockProblem {
    /// The error for a caller that asked to unlock the session.
    var error: ClientError { self == .cancelled ? .cancelledByUser : .locked }
}
