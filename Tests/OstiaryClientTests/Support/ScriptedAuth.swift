import OstiaryCore
import Testing

/// An ``AuthService`` whose every answer is the test's.
struct ScriptedAuth: AuthService {
    /// Returns an answer of the operation's own type.
    let answer: @Sendable (any AuthOperation) async throws(AuthError) -> any Sendable

    func perform<Operation: AuthOperation>(_ call: Operation) async throws(AuthError) -> Operation.Answer {
        guard let answer = try await answer(call) as? Operation.Answer else {
            Issue.record("the script has no answer to \(Operation.kind.rawValue)")
            throw .unavailable(incident: "script")
        }
        return answer
    }
}
