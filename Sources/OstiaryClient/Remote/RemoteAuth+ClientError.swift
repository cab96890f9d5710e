import Foundation
import OstiaryContracts
import OstiaryCore

extension RemoteAuth {
    /// Does one operation, and says what went wrong as an app is told.
    func perform<Operation: WireOperation>(
        _ operation: Operation, within deadline: Duration? = nil, at surroundings: ClientSurroundings
    ) async throws(ClientError) -> Operation.Answer {
        guard codec.endpoint(for: Operation.kind) != nil else { throw .unsupported(Operation.kind) }
        do {
            return try await call(operation, within: deadline)
        } catch {
            switch error {
            case .refused(let refusal): throw ClientError(refusal, at: surroundings)
            case .unreachable(let error): throw ClientError(error)
            }
        }
    }
}

extension ClientError {
    /// What a refusal means to an app.
    init(_ refusal: AuthError, at surroundings: ClientSurroundings) {
        self =
            switch refusal {
            case .tooManyAttempts(let seconds), .busy(let seconds):
                .rateLimited(until: surroundings.now() + TimeInterval(seconds))
            case .unavailable: .temporarilyUnavailable
            default: .refused(refusal)
            }
    }
}
