public import Foundation
public import OstiaryCore

/// One sign-in of one person on one device.
public struct Session: Hashable, Sendable {
    /// The session's id.
    public var id: SessionID
    /// The app that the session belongs to.
    public var app: AppName
    /// The account that is signed in.
    public var accountID: AccountID
    /// The time of the sign-in.
    public var createdAt: Date
    /// The time of the last refresh, or of the sign-in.
    public var lastUsedAt: Date
    /// The session's lifetime without a refresh, in seconds; fixed at sign-in.
    public var idleSeconds: Int
    /// The time at which the session ends unless it is refreshed before.
    public var idleEndsAt: Date
    /// The time at which the session ends regardless of refreshes.
    public var endsAt: Date
    /// The number of the current refresh token. A counter, not a time, so two rotations are never confused.
    public var generation: Int
    /// The time at which the current refresh token was issued.
    public var generationIssuedAt: Date
    /// The number of the oldest refresh token that may still be accepted; a change of password withdrew those before
    /// it.
    public var oldestGeneration = 0
    /// The device's description of itself; not verified.
    public var device: DeviceInfo?
    /// The caller's IP address at the last refresh, or at the sign-in.
    public var address: String?
    /// The country of ``address`` in a list of sessions; `nil` where it is not known. No store keeps it: see decision 94.
    public var country: String?
    /// The caller's `User-Agent` at the sign-in.
    public var userAgent: String?
    /// The administrator who opened the session to act for the account: `key:ID` or `account:ID`; `nil` for a session of the
    /// owner.
    public var actor: String?
    /// The methods by which the person authenticated; empty for a session of a server that did not record them.
    public var authentication: AuthenticationContext
    /// The thumbprint of the key that the session's tokens are bound to; `nil` for a session without one. Fixed when the
    /// session is opened. Source: RFC 7638.
    public var boundKey: String?
    /// The revocation; `nil` unless the session was revoked.
    public var revocation: Revocation?

    /// Creates a session of generation 0 that is used for the first time at `createdAt`.
    public init(
        id: SessionID, app: AppName, accountID: AccountID, createdAt: Date, idleSeconds: Int, endsAt: Date,
        device: DeviceInfo? = nil, address: String? = nil, userAgent: String? = nil, actor: String? = nil,
        authentication: AuthenticationContext = AuthenticationContext(), boundKey: String? = nil
    ) {
        self.id = id
        self.app = app
        self.accountID = accountID
        self.createdAt = createdAt
        self.lastUsedAt = createdAt
        self.idleSeconds = idleSeconds
        self.idleEndsAt = min(createdAt.addingTimeInterval(Double(idleSeconds)), endsAt)
        self.endsAt = endsAt
        self.generation = 0
        self.generationIssuedAt = createdAt
        self.device = device
        self.address = address
        self.userAgent = userAgent
        self.actor = actor
        self.authentication = authentication
        self.boundKey = boundKey
    }
}

/// The time and reason of a session's end.
public struct Revocation: Hashable, Sendable {
    /// The reason of the revocation.
    public var reason: Reason
    /// The time of the revocation.
    public var at: Date

    /// The reason of a revocation. Kept in the store by raw value.
    public enum Reason: String, Hashable, Sendable {
        /// The session's device signed out.
        case signOut = "sign_out"
        /// An earlier refresh token was presented after its successor had been in use: an attacker has a copy.
        case reuse
        /// The single-use secret that opened the session was presented a second time.
        case replayed = "authorization_replayed"
        /// The external credential provider does not let the person continue.
        case authorityRefused = "authority_refused"
        /// The account's password was changed.
        case passwordChanged = "password_changed"
        /// The account's password was reset.
        case passwordReset = "password_reset"
        /// The account was disabled.
        case accountDisabled = "account_disabled"
        /// The account had more sessions than ``SessionPolicy/maximum``.
        case tooManySessions = "too_many_sessions"
        /// A second factor of the account was added in another session, all were removed, or a change of them was undone.
        case factorsChanged = "factors_changed"
        /// The account's owner ended it in the list of sessions.
        case endedByOwner = "ended_by_owner"
        /// The account's owner denied a sign-in by the link of a notice.
        case deniedByOwner = "denied_by_owner"
        /// An administrator ended it.
        case endedByAdministrator = "ended_by_administrator"
        /// The app requires sessions that are bound to a key, and this one is not.
        case unbound
        /// The service key of the administrator who acted in it was revoked, or its account has got all permissions.
        case actorRevoked = "actor_revoked"
    }

    /// Creates a revocation from its parts.
    public init(reason: Reason, at: Date) {
        self.reason = reason
        self.at = at
    }
}

/// A session with the state that decides whether it may continue.
public struct SessionState: Hashable, Sendable {
    /// The session.
    public var session: Session
    /// The session's account.
    public var account: Account
    /// The time at which the current refresh token, or an access token issued with it, was first seen in use.
    public var currentFirstUsedAt: Date?

    /// Creates a state from its parts.
    public init(session: Session, account: Account, currentFirstUsedAt: Date? = nil) {
        self.session = session
        self.account = account
        self.currentFirstUsedAt = currentFirstUsedAt
    }
}
