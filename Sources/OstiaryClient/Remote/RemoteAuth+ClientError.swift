import Foundation
import OstiaryContracts
import OstiaryCore

extension RemoteAuth {
    /// Performs one operation, and maps its failure to a ``ClientError``.
    ///
    /// - Throws: ``ClientError/unsupported(_:)`` if the contract has no endpoint for it; else the mapped refusal or
    ///   transport error.
    func perform<Operation: AuthOperation>(
        _ operation: Operation, within deadline: Duration? = nil, deviceToken: Secret<String>? = nil,
        at system: ClientDependencies
    ) async throws(ClientError) -> Operation.Answer {
        guard codec.endpoint(for: Operation.kind) != nil else { throw .unsupported(Operation.kind) }
        do {
            return try await call(operation, within: deadline, deviceToken: deviceToken)
        } catch {
            switch error {
            case .refused(let refusal): throw ClientError(refusal, at: system)
            case .unreachable(let error): throw ClientError(error)
            }
        }
    }
}

extension ClientError {
    /// Maps a refusal: waiting times become a date by the device's clock.
    init(_ refusal: AuthError, at system: ClientDependencies) {
        self =
            switch refusal {
            case .tooManyAttempts(let seconds), .proofOfWorkRequired(_, let seconds), .busy(let seconds):
                .rateLimited(until: system.now() + TimeInterval(seconds))
            case .unavailable: .temporarilyUnavailable
            default: .refused(refusal)
            }
    }
}
