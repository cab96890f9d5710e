import Foundation
import OstiaryCore

extension UpdateProfile: EngineOperation {
    var handler: UpdateProfileHandler { UpdateProfileHandler(call: self) }
}

/// Changes the parts of an account that its owner may change.
struct UpdateProfileHandler: OperationHandler {
    let call: UpdateProfile

    static let action = UpdateProfile.kind

    func perform(in engine: AuthEngine) async throws -> Outcome<User> {
        let bearer = try await engine.signedIn(call.accessToken)
        let attributes = try engine.app.attributes.validated(call.attributes, by: .owner)
        let change = AccountChange(fullName: call.fullName, attributes: attributes)
        let account: Account?
        do {
            account = try await engine.ports.store.change(
                bearer.account.id, in: engine.app.name, change, at: engine.ports.system.now())
        } catch StoreRefusal.attributesTooLarge {
            throw attributes.tooLarge()
        }
        guard let account else { throw AuthError.invalidAccessToken }
        return Outcome(engine.app.user(of: account), account: account.id, session: bearer.session.id)
    }
}
