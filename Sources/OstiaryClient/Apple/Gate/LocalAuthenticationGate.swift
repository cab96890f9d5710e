#if canImport(LocalAuthentication) && !os(tvOS) && !os(watchOS)
import LocalAuthentication

/// Asks for a face or a finger, by LocalAuthentication.
///
/// - Important: An app that asks for Face ID says why in its Info.plist, under `NSFaceIDUsageDescription`; without that the
///   system ends it.
public struct LocalAuthenticationGate: BiometricGate {
    /// Whether the device's passcode will do where a face or a finger does not. Whoever has the passcode can have faces
    /// added; a session notices that, and ends.
    public let allowsPasscode: Bool
    /// What the button says that gives up; nil for the system's words.
    public let cancelTitle: String?
    private let device: @Sendable () -> DevicePrompt

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

    public func readiness() async -> GateReadiness {
        let prompt = device()
        switch prompt.problem(policy) {
        case nil: break
        case .biometryNotEnrolled, .passcodeNotSet: return .nobodyEnrolled
        case .biometryLockout: return .lockedOut
        default: return .unavailable
        }
        return .ready(prompt.enrolment)
    }

    public func ask(_ reason: String) async -> GateAnswer {
        let prompt = device()
        // Without a passcode there is nothing behind the second button.
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
