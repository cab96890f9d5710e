import Foundation
import OstiaryCore

extension UpdateProfile: EngineOperation {
    var handler: UpdateProfileHandler { UpdateProfileHandler(call: self) }
}

/// Changes the attributes that an account's owner may change.
struct UpdateProfileHandler: OperationHandler {
    let call: UpdateProfile

    static let action = UpdateProfile.kind

    func perform(in engine: AuthEngine) async throws -> Outcome<User> {
        let bearer = try await engine.signedIn(call.accessToken)
        let change = AccountChange(fullName: call.fullName)
        let account = try await engine.ports.store.change(
            bearer.account.id, in: engine.app.name, change, at: engine.ports.system.now())
        guard let account else { throw AuthError.invalidAccessToken }
        return Outcome(
            account.user, account: account.id, session: bearer.session.id, actor: bearer.session.actor)
    }
}
