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
            case .refused(.tooManyAttempts(let seconds)), .refused(.busy(let seconds)):
                throw .rateLimited(until: surroundings.now() + TimeInterval(seconds))
            case .refused(.unavailable): throw .temporarilyUnavailable
            case .refused(let refusal): throw .refused(refusal)
            case .unreachable(let error): throw ClientError(error)
            }
        }
    }
}
