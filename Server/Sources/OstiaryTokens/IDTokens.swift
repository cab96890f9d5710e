package import Foundation
package import OstiaryCore
import OstiaryEngine

/// Makes the built-in provider's ID tokens, and reads them when a client shows one as a hint.
///
/// Source: OpenID Connect Core §2, OpenID Connect RP-Initiated Logout §2.
package struct IDTokens: Sendable {
    private let issuer: String
    private let keys: SigningKeys

    /// - Parameter keys: Of the algorithm ``SigningAlgorithm/rs256``.
    package init(issuer: String, keys: SigningKeys) {
        self.issuer = issuer
        self.keys = keys
    }

    /// - Throws: ``TokenError``, or what the store of the keys throws.
    package func issue(_ grant: IDTokenGrant) async throws -> Secret<String> {
        let claims = try IDTokenClaims(grant, issuer: issuer)
        return Secret(try CompactToken.write(claims, signedBy: try await keys.keys(at: grant.issuedAt).current.token))
    }

    /// Whom an ID token of ours was made for, expired ones too; nil for anything else.
    ///
    /// - Throws: Only if the keys cannot be had.
    package func read(hint: Secret<String>, at now: Date) async throws -> IDTokenHint? {
        guard let token = CompactToken(hint.reveal()), let kid = token.header["kid"],
            Base64URL.decode(Array(kid.utf8))?.count == 32, let key = try await keys.key(kid, at: now)?.token,
            key.signed(token), let claims = token.claims(IDTokenClaims.self),
            hasSameBytes(claims.iss, issuer), let session = try? SessionID(claims.sid)
        else { return nil }
        return IDTokenHint(client: claims.aud, subject: claims.sub, session: session)
    }
}

/// What an ID token is to say. Source: OpenID Connect Core §2, §5.1.
package struct IDTokenGrant: Sendable {
    package var subject: String
    /// The client it is for.
    package var client: String
    /// The person's session at the provider.
    package var session: SessionID
    package var issuedAt: Date
    package var expiresAt: Date
    package var authenticatedAt: Date
    package var nonce: String?
    /// The access token it comes with.
    package var accessToken: Secret<String>
    package var labels: PersonLabels

    package init(
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
package struct PersonLabels: Hashable, Sendable {
    package var name: String?
    package var preferredUsername: String?
    package var email: String?
    /// Nil where no email is told.
    package var isEmailVerified: Bool?

    package init(
        name: String? = nil, preferredUsername: String? = nil, email: String? = nil, isEmailVerified: Bool? = nil
    ) {
        self.name = name
        self.preferredUsername = preferredUsername
        self.email = email
        self.isEmailVerified = isEmailVerified
    }
}

/// What an ID token of ours said.
package struct IDTokenHint: Hashable, Sendable {
    package var client: String
    package var subject: String
    package var session: SessionID
}
