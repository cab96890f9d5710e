#if canImport(LocalAuthentication) && !os(tvOS) && !os(watchOS)
import Foundation
import LocalAuthentication
import Synchronization

/// One question to the person who holds the device. For the next one another is made: a context that was passed once
/// passes again without asking.
final class DevicePrompt: Sendable {
    private let context: Mutex<LAContext>

    static let generalReason = "Go on with your sign-in."

    init(_ context: sending LAContext) { self.context = Mutex(context) }

    /// What the buttons beside the question say; nil for what the system says, empty for no button.
    func setTitles(cancel: String?, fallback: String?) {
        context.withLock { context in
            context.localizedCancelTitle = cancel
            context.localizedFallbackTitle = fallback
        }
    }

    /// Why nobody can be asked; nil if somebody can.
    func problem(_ policy: LAPolicy) -> LAError.Code? {
        context.withLock { context in
            var error: NSError?
            if context.canEvaluatePolicy(policy, error: &error) { return nil }
            return error.flatMap { LAError.Code(rawValue: $0.code) } ?? .biometryNotAvailable
        }
    }

    /// Whom the device knows; nil for nobody.
    var enrolment: GateEnrolment? {
        let hash = context.withLock { context in context.domainState.biometry.stateHash }
        if let hash {
            // "can change exceptionally between major OS versions", says the system's header.
            return GateEnrolment(Array(hash), system: ProcessInfo.processInfo.operatingSystemVersion.majorVersion)
        }
        // A face that the app may not ask for, or a keyboard that is switched off, is not forgotten.
        return switch problem(.deviceOwnerAuthenticationWithBiometrics) {
        case .biometryNotEnrolled, .passcodeNotSet: nil
        default: .unknown
        }
    }

    /// Asks. When the task is cancelled, the question goes away.
    ///
    /// - Returns: Why nobody passed; nil if somebody did.
    func ask(_ policy: LAPolicy, _ reason: String) async -> LAError.Code? {
        // The system ends an app that gives none.
        let reason = reason.isEmpty ? Self.generalReason : reason
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                context.withLock { context in
                    // The answer comes on a queue of the system's, which no actor may be expected on.
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
