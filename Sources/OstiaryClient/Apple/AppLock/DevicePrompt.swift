#if canImport(LocalAuthentication) && !os(tvOS) && !os(watchOS)
import Foundation
import LocalAuthentication
import Synchronization

/// One prompt to the person who holds the device. Each prompt needs a new value: a context that was passed once passes
/// again without a prompt.
final class DevicePrompt: Sendable {
    private let context: Mutex<LAContext>

    static let generalReason = "Go on with your sign-in."

    init(_ context: sending LAContext) { self.context = Mutex(context) }

    /// Sets the titles of the prompt's buttons: `nil` for the system's title, an empty text for no button.
    func setTitles(cancel: String?, fallback: String?) {
        context.withLock { context in
            context.localizedCancelTitle = cancel
            context.localizedFallbackTitle = fallback
        }
    }

    /// Returns the reason for which no prompt is possible; `nil` if one is.
    func problem(_ policy: LAPolicy) -> LAError.Code? {
        context.withLock { context in
            var error: NSError?
            if context.canEvaluatePolicy(policy, error: &error) { return nil }
            return error.flatMap { LAError.Code(rawValue: $0.code) } ?? .biometryNotAvailable
        }
    }

    /// The biometric enrolment of the device; `nil` if no face and no finger is enrolled.
    var enrolment: BiometricEnrolment? {
        let hash = context.withLock { context in context.domainState.biometry.stateHash }
        if let hash {
            // "can change exceptionally between major OS versions", says the system's header.
            return BiometricEnrolment(Array(hash), system: ProcessInfo.processInfo.operatingSystemVersion.majorVersion)
        }
        // Biometrics that are forbidden to the app, or a keyboard with Touch ID that is switched off, may still be
        // enrolled.
        return switch problem(.deviceOwnerAuthenticationWithBiometrics) {
        case .biometryNotEnrolled, .passcodeNotSet: nil
        default: .unknown
        }
    }

    /// Shows the prompt. When the task is cancelled, closes it.
    ///
    /// - Returns: The reason for which the person did not pass; `nil` if they passed.
    func ask(_ policy: LAPolicy, _ reason: String) async -> LAError.Code? {
        // The system terminates an app that gives an empty reason.
        let reason = reason.isEmpty ? Self.generalReason : reason
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                context.withLock { context in
                    // The reply is called on a queue of the system, so the closure must be nonisolated.
                    context.evaluatePolicy(policy, localizedReason: reason) { @Sendable isPassed, error in
                        let code = (error as? LAError)?.code ?? .authenticationFailed
                        continuation.resume(returning: isPassed ? nil : code)
                    }
                }
            }
        } onCancel: {
            context.withLock { $0.invalidate() }
        }
    }

    func withContext<Result: Sendable>(_ body: (LAContext) -> Result) -> Result {
        context.withLock { context in body(context) }
    }
}
#endif
