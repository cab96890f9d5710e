public import OstiaryClient

/// A device that knows its owner, and a person in front of it who does what the test says.
public final class ScriptedGate: BiometricGate {
    private struct State: Sendable {
        var readiness: GateReadiness
        var answers: [GateAnswer]
        var usual: GateAnswer
        var reasons: [String] = []
        var closings = 0
        var point: HoldingPoint?
    }

    private let state: Watched<State>

    /// - Parameters:
    ///   - answers: To the prompts in their order.
    ///   - usual: To every prompt after them; nil for somebody whom the device knows.
    public init(
        _ readiness: GateReadiness = .ready(ScriptedGate.enrolment), answers: [GateAnswer] = [],
        thereafter usual: GateAnswer? = nil
    ) {
        state = Watched(
            State(readiness: readiness, answers: answers, usual: usual ?? .passed(ScriptedGate.enrolment)))
    }

    /// Whom the device knows until the test says otherwise.
    public static let enrolment = GateEnrolment([1])

    /// What each prompt told the person.
    public var reasons: [String] { state.value.reasons }

    /// How many prompts closed because nobody waited for them any more.
    public var closings: Int { state.value.closings }

    public func become(_ readiness: GateReadiness) { state.change { $0.readiness = readiness } }

    /// Somebody adds a face or a finger: the device knows others from now on.
    public func enrol(_ enrolment: GateEnrolment) {
        state.change { state in
            state.readiness = .ready(enrolment)
            state.usual = .passed(enrolment)
        }
    }

    /// What the person does at the next prompt, before what was said for later ones.
    public func answerNext(_ answer: GateAnswer) { state.change { $0.answers.insert(answer, at: 0) } }

    /// Holds each prompt that opens from now on until the test lets it go; nil to hold none. A prompt whose task is
    /// cancelled closes.
    public func hold(at point: HoldingPoint?) { state.change { $0.point = point } }

    public func readiness() async -> GateReadiness { state.value.readiness }

    public func ask(_ reason: String) async -> GateAnswer {
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
