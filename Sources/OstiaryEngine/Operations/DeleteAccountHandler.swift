import Foundation
import OstiaryCore

extension DeleteAccount: EngineOperation {
    var handler: DeleteAccountHandler { DeleteAccountHandler(call: self) }
}

/// Deletes the account and all data kept about it.
struct DeleteAccountHandler: OperationHandler {
    let call: DeleteAccount

    static let action = DeleteAccount.kind

    func perform(in engine: AuthEngine) async throws -> Outcome<Done> {
        let bearer = try await engine.signedIn(call.accessToken)
        let account = bearer.account
        if account.passwordHash != nil, engine.ports.identities.credentialProvider == nil {
            guard let password = call.password else { throw AuthError.invalid(.password, .missing) }
            try await engine.requireStepUp(bearer, confirming: .password)
            try await engine.confirm(password, of: account)
        } else {
            try await engine.requireStepUp(bearer)
        }
        // A caller who knew the password may have been locked out by the owner while the password was checked.
        let isDeleted: Bool
        do {
            isDeleted = try await engine.ports.store.delete(
                account.id, in: engine.app.name, credentialVersion: account.credentialVersion,
                keeping: engine.app.keptRole)
        } catch StoreRefusal.lastHolder {
            throw AuthError.forbidden
        }
        guard isDeleted else { throw AuthError.wrongCredentials }
        await engine.forgetNetworks(of: account)
        return Outcome(Done(), account: account.id)
    }
}
