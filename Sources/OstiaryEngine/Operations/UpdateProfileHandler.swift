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
        let account: Account?
        do {
            account = try await bearer.attributingChanges { try await change(bearer.account.id, in: engine) }
        } catch let error as AuthError {
            throw Refused(error, account: bearer.account.id, session: bearer.session.id)
        }
        guard let account else { throw AuthError.invalidAccessToken }
        return Outcome(
            engine.app.user(of: account), account: account.id, session: bearer.session.id, actor: bearer.session.actor)
    }

    private func change(_ id: AccountID, in engine: AuthEngine) async throws -> Account? {
        let attributes = try engine.app.attributes.validated(call.attributes, by: .owner)
        do {
            return try await engine.ports.store.change(
                id, in: engine.app.name, AccountChange(fullName: call.fullName, attributes: attributes),
                at: engine.ports.system.now())
        } catch StoreRefusal.attributesTooLarge {
            throw attributes.tooLarge()
        }
    }
}
