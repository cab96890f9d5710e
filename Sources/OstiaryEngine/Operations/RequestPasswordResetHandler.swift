import Foundation
import OstiaryCore

extension RequestPasswordReset: EngineOperation {
    var handler: RequestPasswordResetHandler { RequestPasswordResetHandler(call: self) }
}

/// Sends a reset token to the address, if there is an account, with the token that recovers one with nothing but passkeys;
/// costs the same if there is none.
struct RequestPasswordResetHandler: OperationHandler {
    let call: RequestPasswordReset

    static let action = RequestPasswordReset.kind
    var identifier: Identifier? { .email(call.email) }

    func perform(in engine: AuthEngine) async throws -> Outcome<Done> {
        try engine.requireOwnPasswords()
        let found = try await engine.ports.store.account(identifiedBy: .email(call.email), in: engine.app.name)
        let account = found.flatMap { $0.isActive ? $0 : nil }
        let wait = try await engine.sendPasswordReset(to: account, at: account?.email ?? call.email)
        return Outcome(Done(), account: wait == nil ? account?.id : nil)
    }
}
