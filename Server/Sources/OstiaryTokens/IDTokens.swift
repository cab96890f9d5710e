public import Foundation
public import OstiaryCore
import OstiaryEngine

/// Makes the built-in provider's ID tokens, and reads them when a client shows one as a hint.
///
/// Source: OpenID Connect Core §2, OpenID Connect RP-Initiated Logout §2.
public struct IDTokens: Sendable {
    private let issuer: String
    private let keys: SigningKeys

    /// - Parameter keys: Of the algorithm ``SigningAlgorithm/rs256``.
    public init(issuer: String, keys: SigningKeys) {
        self.issuer = issuer
        self.keys = keys
    }

    /// - Throws: ``TokenError``, or what the store of the keys throws.
    public func issue(_ grant: IDTokenGrant) async throws -> Secret<String> {
        let claims = try IDTokenClaims(grant, issuer: issuer)
        return Secret(try CompactToken.write(claims, signedBy: try await keys.keys(at: grant.issuedAt).current.token))
    }

    /// Whom an ID token of ours was made for, expired ones too; nil for anything else.
    ///
    /// - Throws: Only if the keys cannot be had.
    public func read(hint: Secret<String>, at now: Date) async throws -> IDTokenHint? {
        guard let token = CompactToken(hint.reveal()), let kid = token.header["kid"],
            Base64URL.decode(Array(kid.utf8))?.count == 32, let key = try await keys.key(kid, at: now)?.token,
            key.signed(token), let claims = token.claims(IDTokenClaims.self),
            hasSameBytes(claims.iss, issuer), let session = try? SessionID(claims.sid)
        else { return nil }
        return IDTokenHint(client: claims.aud, subject: claims.sub, session: session)
    }
}

/// What an ID token is to say. Source: OpenID Connect Core §2, §5.1.
public struct IDTokenGrant: Sendable {
    public var subject: String
    /// The client it is for.
    public var client: String
    /// The person's session at the provider.
    public var session: SessionID
    public var issuedAt: Date
    public var expiresAt: Date
    public var authenticatedAt: Date
    public var nonce: String?
    /// The access token it comes with.
    public var accessToken: Secret<String>
    public var labels: PersonLabels

    public init(
        subject: String, client: String, session: SessionID, issuedAt: Date, expiresAt: Date, authenticatedAt: Date,
        nonce: String? = nil, accessToken: Secret<String>, labels: PersonLabels = PersonLabels()
    ) {
        self.subject = subject
        self.client = client
        self.session = session
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.authenticatedAt = authenticatedAt
        self.nonce = nonce
        self.accessToken = accessToken
        self.labels = labels
    }
}

/// What a client may know of a person by the scopes it was granted. Source: OpenID Connect Core §5.4.
public struct PersonLabels: Hashable, Sendable {
    public var name: String?
    public var preferredUsername: String?
    public var email: String?
    /// Nil where no email is told.
    public var isEmailVerified: Bool?

    public init(
        name: String? = nil, preferredUsername: String? = nil, email: String? = nil, isEmailVerified: Bool? = nil
    ) {
        self.name = name
        self.preferredUsername = preferredUsername
        self.email = email
        self.isEmailVerified = isEmailVerified
    }
}

/// What an ID token of ours said.
public struct IDTokenHint: Hashable, Sendable {
    public var client: String
    public var subject: String
    public var session: SessionID
}
