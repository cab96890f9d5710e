public import Foundation
public import OstiaryCore

/// Issues and verifies an app's access tokens.
public protocol AccessTokens: Sendable {
    /// Issues an access token with the given claims.
    ///
    /// - Throws: If the signing key is not available or the claims cannot be encoded.
    func issue(_ grant: AccessTokenRequest) async throws -> Secret<String>

    /// Returns the claims of a token that is one of this app's, unaltered and not expired at `now`; `nil` for any
    /// other.
    ///
    /// - Throws: Only if the verification keys are not available.
    func read(_ token: Secret<String>, at now: Date) async throws -> AccessTokenClaims?
}

/// A request for an access token: the claims of the token to be issued.
public struct AccessTokenRequest: Hashable, Sendable {
    /// `sub`
    public var subject: String
    /// The session that the token belongs to.
    public var session: SessionID
    /// The session's generation that the token is issued with.
    public var generation: Int
    /// The time of issue, `iat`.
    public var issuedAt: Date
    /// The time of expiry, `exp`.
    public var expiresAt: Date
    /// `auth_provider`; `nil` where the contract's claims omit it.
    public var authProvider: String?
    /// The account's email; `nil` where it has none or the contract's claims omit it.
    public var email: String?
    /// The account's full name; `nil` where it has none or the contract's claims omit it.
    public var name: String?
    /// The part of the session's permissions that the token grants; `nil` for all of them. Source: RFC 9068 §2.2.3.
    public var scope: String?
    /// `acr`, `amr` and `auth_time`; `nil` for a token without them. Source: RFC 9068 §2.2.1.
    public var authentication: SessionAuthentication?
    /// The `sub` of `act`, the administrator who acts for the subject; `nil` for a token without it. Source: RFC 8693 §4.1.
    public var actor: String?
    /// The thumbprint of the key that the token is bound to, `cnf.jkt`; `nil` for a bearer token. Source: RFC 9449 §6.1.
    public var boundKey: String?
    /// The claims that a hook adds. Tokens that only the server reads omit them.
    public var furtherClaims = TokenClaims.none

    /// Creates a request from its parts.
    public init(
        subject: String, session: SessionID, generation: Int, issuedAt: Date, expiresAt: Date,
        authProvider: String? = nil, email: String? = nil, name: String? = nil, scope: String? = nil,
        authentication: SessionAuthentication? = nil, actor: String? = nil, boundKey: String? = nil
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
        self.authentication = authentication
        self.actor = actor
        self.boundKey = boundKey
    }
}

/// The claims of a valid access token.
public struct AccessTokenClaims: Hashable, Sendable {
    /// `sub`
    public var subject: String
    /// The session that the token belongs to.
    public var session: SessionID
    /// The session's generation that the token was issued with.
    public var generation: Int
    /// The time of expiry, `exp`.
    public var expiresAt: Date
    /// The granted scope; `nil` for all that the session allows.
    public var scope: String?
    /// The thumbprint of the key that the token is bound to, `cnf.jkt`; `nil` for a bearer token.
    public var boundKey: String?

    /// Creates claims from their parts.
    public init(
        subject: String, session: SessionID, generation: Int, expiresAt: Date, scope: String? = nil,
        boundKey: String? = nil
    ) {
        self.boundKey = boundKey
        self.subject = subject
        self.session = session
        self.generation = generation
        self.expiresAt = expiresAt
        self.scope = scope
    }
}

/// Writes and reads an app's refresh tokens. The encoding is deterministic: the same claims always give the same bytes,
/// so a lost response can be repeated although only its claims are kept.
public protocol RefreshTokens: Sendable {
    /// Returns the refresh token that encodes the claims.
    func write(_ tokenClaims: RefreshTokenClaims) throws -> Secret<String>

    /// Returns the session, the generation and the key that a token names, if it is one of this server's, unaltered; `nil`
    /// for any other. Does not check expiry, which is a property of the session.
    func read(_ token: Secret<String>) -> RefreshTokenContent?
}

/// The content of an authentic refresh token.
public struct RefreshTokenContent: Hashable, Sendable {
    /// The session that the token refreshes.
    public var session: SessionID
    /// The number of the token within its session.
    public var generation: Int
    /// The thumbprint of the key that the token is bound to; `nil` for a token that is not bound.
    public var boundKey: String?

    /// Creates a content from its parts.
    public init(session: SessionID, generation: Int, boundKey: String? = nil) {
        self.session = session
        self.generation = generation
        self.boundKey = boundKey
    }
}

/// The claims of a refresh token.
public struct RefreshTokenClaims: Hashable, Sendable {
    /// The session that the token refreshes.
    public var session: SessionID
    /// The number of the token within its session.
    public var generation: Int
    /// The account that the session belongs to.
    public var account: AccountID
    /// The time of issue.
    public var issuedAt: Date
    /// The time after which the token is refused.
    public var expiresAt: Date
    /// The thumbprint of the key that the token is bound to; `nil` for a token that is not bound.
    public var boundKey: String?

    /// Creates claims from their parts.
    public init(
        session: SessionID, generation: Int, account: AccountID, issuedAt: Date, expiresAt: Date,
        boundKey: String? = nil
    ) {
        self.boundKey = boundKey
        self.session = session
        self.generation = generation
        self.account = account
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
    }
}
