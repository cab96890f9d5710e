public import Foundation
public import OstiaryCore

/// One sign-in of one person on one device.
public struct Session: Hashable, Sendable {
    public var id: SessionID
    public var app: AppName
    public var accountID: AccountID
    public var createdAt: Date
    public var lastUsedAt: Date
    /// How long the session lives without a refresh, in seconds; fixed at sign-in.
    public var idleSeconds: Int
    /// When the session ends unless it is refreshed before.
    public var idleEndsAt: Date
    /// When the session ends whatever happens.
    public var endsAt: Date
    /// The number of the current refresh token. A counter, never a time, so that two rotations are never confused.
    public var generation: Int
    /// When the current refresh token was made.
    public var generationIssuedAt: Date
    /// The number of the oldest refresh token that may still be answered; those before it were withdrawn by a change of
    /// password.
    public var oldestGeneration = 0
    public var device: DeviceInfo?
    public var address: String?
    public var userAgent: String?
    public var revocation: Revocation?

    public init(
        id: SessionID, app: AppName, accountID: AccountID, createdAt: Date, idleSeconds: Int, endsAt: Date,
        device: DeviceInfo? = nil, address: String? = nil, userAgent: String? = nil
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
    }
}

/// When and why a session was ended.
public struct Revocation: Hashable, Sendable {
    public var reason: Reason
    public var at: Date

    /// Kept in the store by raw value.
    public enum Reason: String, Hashable, Sendable {
        case signOut = "sign_out"
        /// An earlier refresh token came back after its successor had been in use: a thief has a copy.
        case reuse
        /// What it was opened with was presented a second time.
        case replayed = "authorization_replayed"
        /// Whoever checks the app's passwords does not let the person go on.
        case authorityRefused = "authority_refused"
        case passwordChanged = "password_changed"
        case passwordReset = "password_reset"
        case accountDisabled = "account_disabled"
        /// Newer ones of the same account took its place.
        case tooManySessions = "too_many_sessions"
        case endedByOwner = "ended_by_owner"
        case endedByAdministrator = "ended_by_administrator"
    }

    public init(reason: Reason, at: Date) {
        self.reason = reason
        self.at = at
    }
}

/// A session together with what decides whether it may go on.
public struct SessionState: Hashable, Sendable {
    public var session: Session
    public var account: Account
    /// When the current refresh token, or an access token issued with it, was first seen in use.
    public var currentFirstUsedAt: Date?

    public init(session: Session, account: Account, currentFirstUsedAt: Date? = nil) {
        self.session = session
        self.account = account
        self.currentFirstUsedAt = currentFirstUsedAt
    }
}
