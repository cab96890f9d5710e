public import OstiaryClient

/// A biometric prompt that answers as the test says, on a device with an enrolled owner.
public final class ScriptedBiometricPrompt: BiometricPrompt {
    private struct State: Sendable {
        var readiness: BiometricReadiness
        var answers: [BiometricPromptResult]
        var usual: BiometricPromptResult
        var reasons: [String] = []
        var closings = 0
        var point: HoldingPoint?
    }

    private let state: Watched<State>

    /// Creates a prompt by its state and its answers.
    ///
    /// - Parameters:
    ///   - readiness: The state that ``readiness()`` reports.
    ///   - answers: The answers to the first prompts, in order.
    ///   - usual: The answer to every prompt after them; `nil` for success with ``enrolment``.
    public init(
        _ readiness: BiometricReadiness = .ready(ScriptedBiometricPrompt.enrolment),
        answers: [BiometricPromptResult] = [],
        thereafter usual: BiometricPromptResult? = nil
    ) {
        state = Watched(
            State(readiness: readiness, answers: answers, usual: usual ?? .passed(ScriptedBiometricPrompt.enrolment)))
    }

    /// The enrolment of the device until the test changes it.
    public static let enrolment = BiometricEnrolment([1])

    /// The reason that each prompt showed to the person, in order.
    public var reasons: [String] { state.value.reasons }

    /// The number of prompts that closed because their task was cancelled.
    public var closings: Int { state.value.closings }

    /// Changes the state that ``readiness()`` reports; the answers stay.
    public func become(_ readiness: BiometricReadiness) { state.change { $0.readiness = readiness } }

    /// Changes the enrolment, as when a face or a finger is added: the device is ready with it, and prompts succeed
    /// with it.
    public func enrol(_ enrolment: BiometricEnrolment) {
        state.change { state in
            state.readiness = .ready(enrolment)
            state.usual = .passed(enrolment)
        }
    }

    /// Inserts the answer to the next prompt, before the answers already queued.
    public func answerNext(_ answer: BiometricPromptResult) { state.change { $0.answers.insert(answer, at: 0) } }

    /// Holds each prompt that opens from now on at `point` until the test releases it; `nil` to hold none. A held
    /// prompt whose task is cancelled closes.
    public func hold(at point: HoldingPoint?) { state.change { $0.point = point } }

    /// Returns the state that the test has set, without a prompt.
    public func readiness() async -> BiometricReadiness { state.value.readiness }

    /// Records the reason and returns the next answer; `BiometricPromptResult.cancelled` if the task is cancelled
    /// while the prompt is held.
    public func ask(_ reason: String) async -> BiometricPromptResult {
        let point = state.change { state in
            state.reasons.append(reason)
            return state.point
        }
        if let point {
            do { try await point.hold() } catch {
                state.change { $0.closings += 1 }
                return .cancelled
            }
        }
        return state.change { $0.answers.isEmpty ? $0.usual : $0.answers.removeFirst() }
    }
}
