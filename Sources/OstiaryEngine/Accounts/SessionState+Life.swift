public import Foundation

extension SessionState {
    /// Returns `true` if the session is valid at `now` and its account is active; times are compared in the milliseconds that stores keep.
    public func isAlive(at now: Date) -> Bool {
        session.revocation == nil && session.idleEndsAt.milliseconds > now.milliseconds
            && session.endsAt.milliseconds > now.milliseconds && account.isActive
    }
}

extension Session {
    /// The default of ``SessionPolicy/maximum``, and its greatest value: a client that signs in by script gets no more.
    public static let limitPerAccount = 200
}
