public import OstiaryCore

extension RemoteAuth: AuthService {
    /// Performs an operation on the server.
    ///
    /// - Throws: The server's refusal; ``OstiaryCore/AuthError/unavailable(incident:)`` without an answer.
    public func perform<Operation: AuthOperation>(
        _ operation: Operation
    ) async throws(AuthError) -> Operation.Answer {
        do {
            return try await call(operation)
        } catch {
            switch error {
            case .refused(let refusal): throw refusal
            case .unreachable: throw .unavailable(incident: nil)
            }
        }
    }
}
