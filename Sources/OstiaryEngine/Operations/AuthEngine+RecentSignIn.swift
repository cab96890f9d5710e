import Foundation
import OstiaryCore

extension AuthEngine {
    /// Requires a recent sign-in of a person who has no password to confirm: an access token alone may be stolen.
    func requireRecentSignIn(_ bearer: AuthenticatedSession) throws {
        let age = ports.system.now().timeIntervalSince(bearer.session.createdAt)
        guard age <= Double(DeleteAccount.maximumAuthenticationAgeSeconds) else {
            throw Refused(.stepUpRequired, account: bearer.account.id, session: bearer.session.id)
        }
    }
}
