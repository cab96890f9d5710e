public import Foundation

extension SessionState {
    /// Returns `true` if the session can be rotated at `now`: judged in the milliseconds that are kept.
    public func isAlive(at now: Date) -> Bool {
        session.revocation == nil && session.idleEndsAt.milliseconds > now.milliseconds
            && session.endsAt.milliseconds > now.milliseconds && account.isActive
    }
}

extension Session {
    /// The most sessions that one account has alive. One that signs in by a script has no more.
    public static let limitPerAccount = 200
}
