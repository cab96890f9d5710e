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
        let ports = engine.ports
        let policy = engine.app.resets
        let found = try await ports.store.account(identifiedBy: .email(call.email), in: engine.app.name)
        let account = found.flatMap { $0.isActive ? $0 : nil }
        let token = ports.system.randomToken(bytes: 32)
        let pending = PendingReset(
            hash: engine.hash(resetToken: token), app: engine.app.name,
            recipient: engine.recipientKey(call.email.canonical), account: account?.id,
            expiresAt: ports.system.now().addingTimeInterval(Double(policy.lifetimeSeconds)))
        let recovery = try await engine.passkeyRecovery(of: account)
        let (reset, seconds) = (Secret(token), policy.lifetimeSeconds)
        let notice: NotificationContent =
            if account == nil {
                .nothing
            } else if let recovery {
                .accountRecovery(recovery, passwordReset: reset, lifetimeSeconds: seconds)
            } else {
                .passwordReset(token: reset, lifetimeSeconds: seconds)
            }
        let wait = try await engine.send(
            notice, to: .email(account?.email ?? call.email),
            within: [engine.cooldown("reset", call.email.canonical, seconds: policy.silentSeconds)],
            keeping: .resetToken(pending))
        return Outcome(Done(), account: wait == nil ? account?.id : nil)
    }
}
