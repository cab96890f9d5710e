import OstiaryContracts
import OstiaryCore
import Testing

/// What an operation comes to.
enum Outcome: Sendable {
    case answer(any OperationAnswer)
    case refusal(AuthError)
}

/// One operation and what it comes to.
struct Scene: Sendable {
    var call: any AuthOperation
    var outcome: Outcome

    init(_ call: any AuthOperation, answers answer: any OperationAnswer) {
        self.call = call
        outcome = .answer(answer)
    }

    init(_ call: any AuthOperation, refusedWith error: AuthError) {
        self.call = call
        outcome = .refusal(error)
    }
}

/// A service that knows the calls of a script to the letter, and refuses every other.
struct ScriptedService: AuthService {
    var script: [Scene]

    func perform<Call: AuthOperation>(_ call: Call) async throws(AuthError) -> Call.Answer {
        for scene in script where scene.call as? Call == call {
            switch scene.outcome {
            case .answer(let answer): if let answer = answer as? Call.Answer { return answer }
            case .refusal(let error): throw error
            }
        }
        throw .rejected(status: 418, message: "not in the script")
    }
}

extension Codec {
    /// A server without a socket: reads the request, performs it, writes what it comes to.
    func serve(_ request: WireRequest, by service: ScriptedService) async -> WireResponse {
        do { return await answer(try read(request), by: service) } catch { return write(error) }
    }

    private func answer(_ call: some AuthOperation, by service: ScriptedService) async -> WireResponse {
        do { return write(try await service.perform(call), to: type(of: call).kind) } catch { return write(error) }
    }
}
