import OstiaryClient
import Synchronization

/// A device and its owner, as the test plays them.
final class ScriptedGate: BiometricGate {
    private struct State {
        var readiness: GateReadiness
        var answers: [GateAnswer] = []
        var reasons: [String] = []
        var closed = 0
        var held: AsyncStream<GateAnswer>.Continuation?
    }

    private let state: Mutex<State>
    private let prompts: AsyncStream<Void>
    private let prompt: AsyncStream<Void>.Continuation

    /// - Parameter answers: To the prompts in their order; those after them wait for ``answer(_:)``.
    init(_ readiness: GateReadiness = .ready(GateEnrolment([1])), answers: [GateAnswer] = []) {
        state = Mutex(State(readiness: readiness, answers: answers))
        (prompts, prompt) = AsyncStream.makeStream()
    }

    var reasons: [String] { state.withLock { $0.reasons } }
    /// How many prompts were closed because nobody waited any more.
    var closed: Int { state.withLock { $0.closed } }
    func become(_ readiness: GateReadiness) { state.withLock { $0.readiness = readiness } }
    func answer(_ answer: GateAnswer) { _ = state.withLock { $0.held }?.yield(answer) }

    /// Waits for the next prompt.
    func prompted() async {
        var prompts = prompts.makeAsyncIterator()
        _ = await prompts.next()
    }

    func readiness() async -> GateReadiness { state.withLock { $0.readiness } }

    func ask(_ reason: String) async -> GateAnswer {
        let (held, continuation) = AsyncStream.makeStream(of: GateAnswer.self)
        let answer: GateAnswer? = state.withLock { state in
            state.reasons.append(reason)
            state.held = continuation
            return state.answers.isEmpty ? nil : state.answers.removeFirst()
        }
        prompt.yield()
        if let answer { return answer }
        var iterator = held.makeAsyncIterator()
        if let answer = await iterator.next() { return answer }
        state.withLock { $0.closed += 1 }
        return .cancelled
    }
}
