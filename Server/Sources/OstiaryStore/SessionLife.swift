import Foundation
import OstiaryEngine

extension SessionState {
    /// Whether it can be rotated at `now`: judged in the milliseconds that are kept.
    func isAlive(at now: Date) -> Bool {
        session.revocation == nil && session.idleEndsAt.milliseconds > now.milliseconds
            && session.endsAt.milliseconds > now.milliseconds && account.isActive
    }
}
