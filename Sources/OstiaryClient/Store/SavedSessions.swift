public import Foundation
public import OstiaryCore

/// The state that an app keeps between runs: its sessions, the current one, and the sign-outs that the server has not
/// confirmed. One value, written atomically, so that a switch or a sign-out happens completely or not at all.
public struct SavedSessions: Hashable, Sendable {
    /// The sessions on this device, at most one for each account.
    public var sessions: [ClientSession]
    /// The identifier of the session in use; `nil` if no account is signed in.
    public var current: ClientSession.ID?
    /// The sign-outs that the server has not confirmed, oldest first.
    public var pendingRevocations: [PendingRevocation]
    /// A random identifier of this device; `nil` until a contract asks for one. It outlives sessions.
    public var deviceID: String?
    /// The secret by which an account recognizes this device: see `SignedIn.deviceToken`. It outlives sessions.
    public var deviceToken: Secret<String>?
    /// The id of the key that App Attest has attested, in base64url: see ``AppAttestService``. It outlives sessions.
    public var appAttestKey: String?
    /// `true` if the sessions before were damaged, and none has begun or ended since: a session that is missing here has not been
    /// signed out.
    var hasLostSessions = false

    /// Creates a state from its parts.
    public init(
        sessions: [ClientSession] = [], current: ClientSession.ID? = nil, pendingRevocations: [PendingRevocation] = [],
        deviceID: String? = nil, deviceToken: Secret<String>? = nil, appAttestKey: String? = nil
    ) {
        self.sessions = sessions
        self.current = current
        self.pendingRevocations = pendingRevocations
        self.deviceID = deviceID
        self.deviceToken = deviceToken
        self.appAttestKey = appAttestKey
    }

    /// The empty state: no sessions, no pending sign-outs and no device identifier.
    public static let none = SavedSessions()

    /// `true` if there is nothing to store; an identifier in ``current`` alone does not count.
    public var isEmpty: Bool {
        !hasSessions && deviceID == nil && deviceToken == nil && appAttestKey == nil
    }

    /// `true` if a session or a sign-out is stored.
    var hasSessions: Bool { !sessions.isEmpty || !pendingRevocations.isEmpty }

    /// Accesses a session by its identifier: `nil` if it is not stored, and setting `nil` removes it.
    public subscript(id: ClientSession.ID) -> ClientSession? {
        get { sessions.first { $0.id == id } }
        set {
            let index = sessions.firstIndex { $0.id == id }
            switch (index, newValue) {
            case (let index?, let session?): sessions[index] = session
            case (let index?, nil): sessions.remove(at: index)
            case (nil, let session?): sessions.append(session)
            case (nil, nil): break
            }
        }
    }

    /// The session in use; `nil` if there is none or ``current`` names one that is not stored.
    public var currentSession: ClientSession? { current.flatMap { self[$0] } }
}

/// One session in its complete form, with its tokens, as stored on this device.
public struct ClientSession: Hashable, Sendable, Identifiable {
    /// The identifier of a session, generated on this device at sign-in. It distinguishes the session from the next one
    /// of the same account.
    public struct ID: Hashable, Sendable, RawRepresentable {
        /// The text of the identifier.
        public let rawValue: String
        /// Creates an identifier from its text.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The identifier of the session on this device.
    public let id: ID
    /// The name of the contract that the session's server speaks.
    public let contract: String
    /// The base URL of the session's server. The tokens are sent to no other server.
    public let baseURL: BaseURL
    /// The account of the session; `nil` if the server did not state it.
    public let accountID: AccountID?
    /// The identifier that the person signed in with, for display.
    public let label: String
    /// The user as of the last response that described them.
    public var user: User?
    /// The current access token.
    public var accessToken: Secret<String>
    /// The current refresh token; `nil` for a session that cannot be refreshed.
    public var refreshToken: Secret<String>?
    /// The time at which the access token was received, by this device's clock.
    public var issuedAt: Date
    /// The time at which the access token expires, by this device's clock; `nil` if that is not known.
    public var expiresAt: Date?
    /// The key that signs requests of this session, if the app asks for signatures; else `nil`.
    public var signingKey: RequestSigningKey?
    /// The key that the tokens are bound to; `nil` for bearer tokens.
    public var boundKey: SessionKey?
    /// The biometric enrolment of the device when the session began, if the session has a lock; else `nil`.
    public var enrolment: BiometricEnrolment?
    /// The time at which a process sent a password change of which it has not stored the outcome; else `nil`.
    var passwordChangeStartedAt: Date?

    /// Creates a session from its parts. Times are truncated to whole seconds, as they are stored.
    public init(
        id: ID, contract: String, baseURL: BaseURL, accountID: AccountID?, label: String, user: User? = nil,
        accessToken: Secret<String>, refreshToken: Secret<String>?, issuedAt: Date, expiresAt: Date?,
        signingKey: RequestSigningKey? = nil, boundKey: SessionKey? = nil, enrolment: BiometricEnrolment? = nil
    ) {
        self.id = id
        self.contract = contract
        self.baseURL = baseURL
        self.accountID = accountID
        self.label = label
        self.user = user
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.issuedAt = issuedAt.wholeSeconds
        self.expiresAt = expiresAt?.wholeSeconds
        self.signingKey = signingKey
        self.boundKey = boundKey
        self.enrolment = enrolment
    }

    /// The time after which a password change is taken for lost with the process that sent it, in seconds.
    static let longestPasswordChange: TimeInterval = 300

    /// Returns `true` while a process may still receive the tokens of a password change.
    func isPasswordChangePending(at now: Date) -> Bool {
        guard let age = passwordChangeStartedAt.map(now.timeIntervalSince) else { return false }
        return (0..<Self.longestPasswordChange).contains(age)
    }

    /// Returns this session with the tokens of another.
    func with(tokensOf other: ClientSession) -> ClientSession {
        var session = self
        session.accessToken = other.accessToken
        session.refreshToken = other.refreshToken
        session.issuedAt = other.issuedAt
        session.expiresAt = other.expiresAt
        return session
    }

    /// Returns this session with the tokens of a refresh. Without a new refresh token in the response, the old one
    /// stays valid.
    func renewed(with tokens: Tokens, at now: Date) -> ClientSession {
        var session = self
        session.accessToken = tokens.accessToken
        session.refreshToken = tokens.refreshToken ?? refreshToken
        session.issuedAt = now.wholeSeconds
        session.expiresAt = AccessTokenExpiry(tokens, receivedAt: now)?.date.wholeSeconds
        return session
    }
}

/// A sign-out that the server has not confirmed, with the session's last tokens to revoke.
public struct PendingRevocation: Hashable, Sendable {
    /// The session to revoke.
    public let session: ClientSession
    /// The time of the sign-out.
    public let since: Date

    /// Creates a pending sign-out. The time is truncated to whole seconds, as it is stored.
    public init(session: ClientSession, since: Date) {
        self.session = session
        self.since = since.wholeSeconds
    }
}

extension Date {
    var wholeSeconds: Date { Date(timeIntervalSince1970: timeIntervalSince1970.rounded(.down)) }
}

// Tokens and names must not appear in logs.

extension ClientSession: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The contract and the base URL, without tokens and names.
    public var description: String { "<\(contract) session at \(baseURL)>" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// An empty mirror, so that no dump contains tokens or names.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}

extension SavedSessions: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The numbers of sessions and of unconfirmed sign-outs.
    public var description: String { "<\(sessions.count) sessions, \(pendingRevocations.count) pending sign-outs>" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// An empty mirror, so that no dump contains tokens or names.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}
