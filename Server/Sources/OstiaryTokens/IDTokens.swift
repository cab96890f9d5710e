package import Foundation
package import OstiaryCore
import OstiaryEngine

/// Issues the built-in provider's ID tokens, and reads those that a client presents as `id_token_hint`.
///
/// Source: OpenID Connect Core §2, OpenID Connect RP-Initiated Logout §2.
package struct IDTokens: Sendable {
    private let issuer: String
    private let keys: SigningKeys

    /// - Parameter keys: The signing keys, of the algorithm ``SigningAlgorithm/rs256``.
    package init(issuer: String, keys: SigningKeys) {
        self.issuer = issuer
        self.keys = keys
    }

    /// Issues an ID token.
    ///
    /// - Throws: ``TokenError``, or the error of the signing key store.
    package func issue(_ grant: IDTokenGrant) async throws -> Secret<String> {
        let claims = try IDTokenClaims(grant, issuer: issuer)
        return Secret(try CompactToken.write(claims, signedBy: try await keys.current(at: grant.issuedAt).token))
    }

    /// Returns the client, subject and session of an ID token that this provider issued, also of an expired one; nil
    /// for anything else.
    ///
    /// - Throws: Only the error of loading the signing keys.
    package func read(hint: Secret<String>, at now: Date) async throws -> IDTokenHint? {
        guard let token = CompactToken(hint.reveal()), let kid = token.header["kid"],
            Base64URL.decode(Array(kid.utf8))?.count == 32, let key = try await keys.key(kid, at: now)?.token,
            key.signed(token), let claims = token.claims
        else { return nil }
        guard let issued = try? claims.text("iss"), hasSameBytes(issued, issuer), let client = try? claims.text("aud"),
            let subject = try? claims.text("sub"), let session = try? SessionID(claims.text("sid"))
        else { return nil }
        return IDTokenHint(client: client, subject: subject, session: session)
    }
}

/// The contents of an ID token to issue. Source: OpenID Connect Core §2, §5.1.
package struct IDTokenGrant: Sendable {
    package var subject: String
    /// The client id, which becomes `aud`.
    package var client: String
    /// The session that becomes `sid`: the account's browser session at the provider.
    package var session: SessionID
    package var issuedAt: Date
    package var expiresAt: Date
    package var authenticatedAt: Date
    /// `acr`; nil for a sign-in before levels were recorded.
    package var level: AuthenticationLevel?
    /// `amr`; empty for a sign-in by no method of RFC 8176.
    package var methods: [String]
    package var nonce: String?
    /// The access token that is returned together with the ID token; the source of `at_hash`.
    package var accessToken: Secret<String>
    package var labels: PersonLabels

    package init(
        subject: String, client: String, session: SessionID, issuedAt: Date, expiresAt: Date, authenticatedAt: Date,
        level: AuthenticationLevel? = nil, methods: [String] = [], nonce: String? = nil,
        accessToken: Secret<String>, labels: PersonLabels = PersonLabels()
    ) {
        self.subject = subject
        self.client = client
        self.session = session
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.authenticatedAt = authenticatedAt
        self.level = level
        self.methods = methods
        self.nonce = nonce
        self.accessToken = accessToken
        self.labels = labels
    }
}

/// The profile claims of an account that a client may read by its granted scopes. Source: OpenID Connect Core §5.4.
package struct PersonLabels: Hashable, Sendable {
    package var name: String?
    package var preferredUsername: String?
    package var email: String?
    /// Nil where no email is disclosed.
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

/// The contents of an ID token of this provider, presented as a hint.
package struct IDTokenHint: Hashable, Sendable {
    package var client: String
    package var subject: String
    package var session: SessionID
}
