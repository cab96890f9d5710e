import Foundation
import OstiaryCore

extension ResetPassword: EngineOperation {
    var handler: ResetPasswordHandler { ResetPasswordHandler(call: self) }
}

/// Sets a new password for a person who proves ownership of the account.
struct ResetPasswordHandler: OperationHandler {
    let call: ResetPassword

    static let action = ResetPassword.kind

    var attempts: Attempts {
        switch call.proof {
        case .token: Attempts(kind: .reset, identifier: nil)
        case .code(_, let number): Attempts(kind: .codeCheck, identifier: .phoneNumber(number))
        }
    }

    func perform(in engine: AuthEngine) async throws -> Outcome<Done> {
        try engine.requireOwnPasswords()
        let (account, secret, refusal) = try await proven(in: engine)
        do {
            let changed = try await engine.setPassword(
                call.password, in: .password, of: account, by: .reset(secret))
            guard changed else { throw refusal }
        } catch StoreRefusal.alreadySpent {
            throw refusal
        }
        // Deleting the devices was part of the change.
        let deviceToken = await engine.recognizeDevice(of: account.id)
        return Outcome(Done(deviceToken: deviceToken), account: account.id)
    }

    private func proven(in engine: AuthEngine) async throws -> (Account, SingleUseSecret, refusal: AuthError) {
        let (ports, app) = (engine.ports, engine.app.name)
        switch call.proof {
        case .token(let token):
            let account = try await engine.owner(ofResetToken: token)
            let hash = engine.hash(resetToken: token.reveal())
            return (account, .resetToken(hash: hash, app: app), .resetTokenRefused)
        case .code(let code, let number):
            let pending = try await engine.check(code, sentTo: number, codeSession: nil)
            guard let account = try await ports.store.account(identifiedBy: .phoneNumber(number), in: app),
                account.isActive
            else { throw AuthError.codeRefused }
            return (account, .code(id: pending.id, app: app), .codeRefused)
        }
    }
}
