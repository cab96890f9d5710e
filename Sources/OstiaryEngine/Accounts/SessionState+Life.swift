public import Foundation
import OstiaryCore

extension SessionState {
    /// Returns `true` if the session is valid at `now` and its account is active.
    public func isAlive(at now: Date) -> Bool { refusal(at: now) == nil }

    /// Returns the refusal of an access token of the session at `now`; `nil` if the session is valid and its account is active.
    /// Times are compared in the milliseconds that stores keep.
    func refusal(at now: Date) -> AuthError? {
        // Checked first, because disabling an account revokes its sessions.
        guard account.isActive else { return .accountDisabled }
        guard session.revocation == nil else { return .sessionRevoked }
        let now = now.milliseconds
        guard now < session.endsAt.milliseconds, now < session.idleEndsAt.milliseconds else {
            return .invalidAccessToken
        }
        return nil
    }
}

extension Session {
    /// The default of ``SessionPolicy/maximum``, and its greatest value: a client that signs in by script gets no more.
    public static let limitPerAccount = 200
}
