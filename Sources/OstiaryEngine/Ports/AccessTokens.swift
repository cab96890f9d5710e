public import Foundation
public import OstiaryCore

/// Makes and reads an app's access tokens.
public protocol AccessTokens: Sendable {
    func issue(_ grant: AccessGrant) async throws -> Secret<String>

    /// What a token says, if it is one of this app's, unaltered and not expired at `now`; nil for anything else.
    ///
    /// - Throws: Only if the keys cannot be had.
    func read(_ token: Secret<String>, at now: Date) async throws -> AccessTicket?
}

/// What an access token is to say.
public struct AccessGrant: Hashable, Sendable {
    public var subject: String
    public var session: SessionID
    public var generation: Int
    public var issuedAt: Date
    public var expiresAt: Date
    /// `auth_provider`; nil where the contract's claims do not tell.
    public var authProvider: String?
    public var email: String?
    public var name: String?
    /// What the token allows of what its session does; nil for all of it. Source: RFC 9068 §2.2.3.
    public var scope: String?

    public init(
        subject: String, session: SessionID, generation: Int, issuedAt: Date, expiresAt: Date,
        authProvider: String? = nil, email: String? = nil, name: String? = nil, scope: String? = nil
    ) {
        self.subject = subject
        self.session = session
        self.generation = generation
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.authProvider = authProvider
        self.email = email
        self.name = name
        self.scope = scope
    }
}

/// What a valid access token said.
public struct AccessTicket: Hashable, Sendable {
    /// `sub`
    public var subject: String
    public var session: SessionID
    public var generation: Int
    public var expiresAt: Date
    /// Nil for all that the session allows.
    public var scope: String?

    public init(subject: String, session: SessionID, generation: Int, expiresAt: Date, scope: String? = nil) {
        self.subject = subject
        self.session = session
        self.generation = generation
        self.expiresAt = expiresAt
        self.scope = scope
    }
}

/// Writes and reads an app's refresh tokens. The same ticket always gives the same bytes, so that a lost answer can be
/// given again though only its ticket is kept.
public protocol RefreshTokens: Sendable {
    func write(_ ticket: RefreshTicket) throws -> Secret<String>

    /// The session and generation a token names, if it is one of ours, unaltered; nil for anything else. Says nothing about
    /// expiry: the session knows.
    func read(_ token: Secret<String>) -> (session: SessionID, generation: Int)?
}

public struct RefreshTicket: Hashable, Sendable {
    public var session: SessionID
    public var generation: Int
    public var account: AccountID
    public var issuedAt: Date
    public var expiresAt: Date

    public init(session: SessionID, generation: Int, account: AccountID, issuedAt: Date, expiresAt: Date) {
        self.session = session
        self.generation = generation
        self.account = account
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
    }
}
