#if canImport(LocalAuthentication) && !os(tvOS) && !os(watchOS)
import LocalAuthentication

/// A biometric prompt for a face or a finger, with LocalAuthentication.
///
/// - Important: An app that uses Face ID states its reason in its Info.plist, under `NSFaceIDUsageDescription`; the
///   system terminates an app without it.
public struct LocalAuthenticationPrompt: BiometricPrompt {
    /// `true` if the device's passcode is accepted when biometrics fail. A person who knows the passcode can enrol
    /// another face or finger; the session detects the changed enrolment and ends.
    public let allowsPasscode: Bool
    /// The title of the cancel button; `nil` for the system's title.
    public let cancelTitle: String?
    private let device: @Sendable () -> DevicePrompt

    /// Creates a biometric prompt. Each check and each prompt uses a new `LAContext`.
    public init(allowsPasscode: Bool = false, cancelTitle: String? = nil) {
        self.init(allowsPasscode: allowsPasscode, cancelTitle: cancelTitle) { DevicePrompt(LAContext()) }
    }

    init(allowsPasscode: Bool, cancelTitle: String? = nil, device: @escaping @Sendable () -> DevicePrompt) {
        self.allowsPasscode = allowsPasscode
        self.cancelTitle = cancelTitle
        self.device = device
    }

    private var policy: LAPolicy {
        allowsPasscode ? .deviceOwnerAuthentication : .deviceOwnerAuthenticationWithBiometrics
    }

    /// Returns the readiness of the device to prompt, with its enrolment: for biometrics, or for biometrics or the
    /// passcode if ``allowsPasscode`` is `true`.
    public func readiness() async -> BiometricReadiness {
        let prompt = device()
        switch prompt.problem(policy) {
        case nil: break
        case .biometryNotEnrolled, .passcodeNotSet: return .notEnrolled
        case .biometryLockout: return .lockedOut
        default: return .unavailable
        }
        return .ready(prompt.enrolment)
    }

    /// Shows the system's prompt. An empty reason is replaced by a general one, as the system requires a reason.
    public func ask(_ reason: String) async -> BiometricPromptResult {
        let prompt = device()
        // Without a passcode the fallback button would have no function.
        prompt.setTitles(cancel: cancelTitle, fallback: allowsPasscode ? nil : "")
        switch await prompt.ask(policy, reason) {
        case nil: return .passed(device().enrolment)
        case .authenticationFailed: return .failed
        case .userCancel, .systemCancel, .appCancel, .userFallback, .invalidContext: return .cancelled
        case .biometryLockout: return .lockedOut
        default: return .unavailable
        }
    }
}
#endif
