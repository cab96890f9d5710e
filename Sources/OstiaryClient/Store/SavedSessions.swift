public import Foundation
public import OstiaryCore

/// Everything that an app keeps of its people between runs: their sessions, whose turn it is, and what is left to tell the
/// server. One value, written as a whole, so that a switch or a sign-out is there or is not.
public struct SavedSessions: Hashable, Sendable {
    /// At most one for an account.
    public var sessions: [ClientSession]
    /// The session in use; nil if nobody is signed in.
    public var current: ClientSession.ID?
    /// Sign-outs that the server has not heard of, oldest first.
    public var untoldSignOuts: [UntoldSignOut]
    /// A name for this device that was made up on it; nil until a contract asks for one. It outlives sessions.
    public var deviceID: String?

    public init(
        sessions: [ClientSession] = [], current: ClientSession.ID? = nil, untoldSignOuts: [UntoldSignOut] = [],
        deviceID: String? = nil
    ) {
        self.sessions = sessions
        self.current = current
        self.untoldSignOuts = untoldSignOuts
        self.deviceID = deviceID
    }

    public static let none = SavedSessions()

    /// Whether there is nothing to keep.
    public var isEmpty: Bool { sessions.isEmpty && untoldSignOuts.isEmpty && deviceID == nil }

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

    public var currentSession: ClientSession? { current.flatMap { self[$0] } }
}

/// One session, as the device that has it keeps it.
public struct ClientSession: Hashable, Sendable, Identifiable {
    /// Made up on this device at sign-in: tells this session from the next one of the same account.
    public struct ID: Hashable, Sendable, RawRepresentable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    public let id: ID
    /// The name of the contract its server speaks.
    public let contract: String
    /// The tokens go there, and nowhere else.
    public let baseURL: BaseURL
    public let accountID: AccountID?
    /// What the person signed in as, for people.
    public let label: String
    /// As of the last answer that told.
    public var user: User?
    public var accessToken: Secret<String>
    public var refreshToken: Secret<String>?
    /// When the access token was received, by this device's clock.
    public var issuedAt: Date
    /// When it stops working, by this device's clock; nil where nobody knows.
    public var expiresAt: Date?
    /// What signs requests of this session, where the app asks for it.
    public var signingKey: RequestSigningKey?
    /// Whom the device knew when the session began, where a gate stands in front of it.
    public var enrolment: GateEnrolment?

    /// Times are cut to whole seconds, as they are stored.
    public init(
        id: ID, contract: String, baseURL: BaseURL, accountID: AccountID?, label: String, user: User? = nil,
        accessToken: Secret<String>, refreshToken: Secret<String>?, issuedAt: Date, expiresAt: Date?,
        signingKey: RequestSigningKey? = nil, enrolment: GateEnrolment? = nil
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
        self.enrolment = enrolment
    }

    /// The same session with another's tokens.
    func with(tokensOf other: ClientSession) -> ClientSession {
        var session = self
        session.accessToken = other.accessToken
        session.refreshToken = other.refreshToken
        session.issuedAt = other.issuedAt
        session.expiresAt = other.expiresAt
        return session
    }

    /// The same session with the tokens of a refresh. A server that sends no new refresh token means the old one to stay.
    func renewed(with tokens: Tokens, at now: Date) -> ClientSession {
        var session = self
        session.accessToken = tokens.accessToken
        session.refreshToken = tokens.refreshToken ?? refreshToken
        session.issuedAt = now.wholeSeconds
        session.expiresAt = AccessTokenExpiry(tokens, receivedAt: now)?.date.wholeSeconds
        return session
    }
}

/// A sign-out that the server has to be told of: the session's last tokens.
public struct UntoldSignOut: Hashable, Sendable {
    public let session: ClientSession
    /// When the person signed out.
    public let since: Date

    public init(session: ClientSession, since: Date) {
        self.session = session
        self.since = since.wholeSeconds
    }
}

extension Date {
    var wholeSeconds: Date { Date(timeIntervalSince1970: timeIntervalSince1970.rounded(.down)) }
}

// Tokens and names are for nobody who reads a log.

extension ClientSession: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "<\(contract) session at \(baseURL)>" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}

extension SavedSessions: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "<\(sessions.count) sessions, \(untoldSignOuts.count) untold sign-outs>" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}
