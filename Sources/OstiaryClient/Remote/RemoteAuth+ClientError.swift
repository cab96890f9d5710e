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
        proof: RequestProof? = nil, at system: ClientDependencies
    ) async throws(ClientError) -> Operation.Answer {
        guard codec.endpoint(for: Operation.kind) != nil else { throw .unsupported(Operation.kind) }
        do {
            return try await call(operation, within: deadline, deviceToken: deviceToken, proof: proof)
        } catch {
            switch error {
            case .refused(let refusal): throw ClientError(refusal, at: system)
            case .unreachable(let error): throw ClientError(error)
            }
        }
    }
}

extension RemoteAuth {
    /// Sends a request with a token, and with a proof of the key that the token is bound to.
    func proving(
        _ request: WireRequest, of token: IssuedToken,
        by send: (WireRequest) async throws(ClientError) -> WireResponse
    ) async throws(ClientError) -> WireResponse {
        guard let key = token.boundKey, let proofs else { return try await send(request) }
        return try await proofs.send(
            request.withBoundToken(), with: key,
            failure: { .refused($0 == .lost ? .dpopRequired : .invalidDPoPProof) }, by: send)
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
