import Foundation
import OstiaryCore

extension CurrentUser: EngineOperation {
    var handler: CurrentUserHandler { CurrentUserHandler(call: self) }
}

/// Returns the account that the access token belongs to.
struct CurrentUserHandler: OperationHandler {
    let call: CurrentUser

    static let action = CurrentUser.kind

    func perform(in engine: AuthEngine) async throws -> Outcome<User> {
        Outcome(try await engine.app.user(of: engine.signedIn(call.accessToken).account))
    }
}
