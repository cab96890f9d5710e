public import OstiaryCore

/// An identity provider that people sign in at in a browser.
///
/// Every method reaches the network and returns within five seconds, with an answer or an error. Beyond the refusals each
/// names, any error means that the provider is away or does not keep to its protocol.
public protocol IdentityProvider: Sendable {
    var description: ProviderDescription { get }

    /// Where the browser goes to sign in.
    func authorizationURL(for request: AuthorizationRequest) async throws -> String

    /// Whether the provider says that each of its answers to the browser names its issuer, so that one which does not is
    /// somebody else's. Source: RFC 9207 §2.4.
    func namesIssuer() async throws -> Bool

    /// Redeems an authorization code for the person it stands for.
    ///
    /// - Throws: ``IdentityProviderRefusal``.
    func identity(for grant: AuthorizationGrant) async throws -> ProviderIdentity

    /// Who an ID token is about that the device got by itself. The token's `nonce` is `nonce` or its SHA-256 in lower-case
    /// hexadecimal digits.
    ///
    /// - Throws: ``IdentityProviderRefusal/tokenInvalid``; ``IdentityProviderRefusal/notOffered`` where the provider has no
    ///   ID tokens, or no app of ours gets them by itself.
    func identity(fromToken token: Secret<String>, nonce: Secret<String>) async throws -> ProviderIdentity
}

extension IdentityProvider {
    public func namesIssuer() async throws -> Bool { false }
}

/// What is the same for every sign-in at a provider.
public struct ProviderDescription: Hashable, Sendable {
    /// What an app's configuration and its paths call it, for example `google`.
    public var name: String
    /// What accounts from there have as their `auth_provider`, for example `auth0`.
    public var kind: String
    /// What people call it, for a button.
    public var title: String
    /// Whether the browser goes from the provider straight to the app's redirect URI, as with Auth0, instead of by way of
    /// our callback.
    public var returnsToApp: Bool
    /// What the provider calls the services people can choose from, by ours: `google` is `google-oauth2` at Auth0. Empty
    /// for a provider that is one service itself.
    public var connections: [String: String]
    /// What an `iss` in its answers must be; nil where that is not known. Source: RFC 9207 §2.4.
    public var issuer: String?

    public init(
        name: String, kind: String, title: String, returnsToApp: Bool = false, connections: [String: String] = [:],
        issuer: String? = nil
    ) {
        self.name = name
        self.kind = kind
        self.title = title
        self.returnsToApp = returnsToApp
        self.connections = connections
        self.issuer = issuer
    }
}

/// What the browser is sent to a provider with. Source: RFC 6749 §4.1.1, RFC 7636 §4.3, OpenID Connect Core §3.1.2.1.
public struct AuthorizationRequest: Hashable, Sendable {
    public var state: Secret<String>
    public var nonce: String
    /// The S256 challenge of the verifier.
    public var codeChallenge: String
    /// Where the provider sends the browser back to.
    public var redirectURI: String
    /// One of the provider's connections, in the provider's own word.
    public var connection: String?

    public init(
        state: Secret<String>, nonce: String, codeChallenge: String, redirectURI: String, connection: String? = nil
    ) {
        self.state = state
        self.nonce = nonce
        self.codeChallenge = codeChallenge
        self.redirectURI = redirectURI
        self.connection = connection
    }
}

/// What an authorization code is redeemed with. Source: RFC 6749 §4.1.3, RFC 7636 §4.5.
public struct AuthorizationGrant: Hashable, Sendable {
    public var code: Secret<String>
    public var codeVerifier: Secret<String>
    /// What the ID token's `nonce` must be.
    public var nonce: String
    /// The same as in the request.
    public var redirectURI: String

    public init(code: Secret<String>, codeVerifier: Secret<String>, nonce: String, redirectURI: String) {
        self.code = code
        self.codeVerifier = codeVerifier
        self.nonce = nonce
        self.redirectURI = redirectURI
    }
}

/// A person as an identity provider vouches for them. Issuer and subject are who it is; all else are labels.
public struct ProviderIdentity: Hashable, Sendable {
    /// Compared byte for byte.
    public var issuer: String
    /// At most 255 bytes, not empty, without control characters; compared byte for byte.
    public var subject: String
    public var email: EmailAddress?
    /// Whether the provider says that it checked the address: only a JSON `true` does.
    public var isEmailVerified: Bool
    public var preferredUsername: String?
    public var fullName: PersonName?

    public init(
        issuer: String, subject: String, email: EmailAddress? = nil, isEmailVerified: Bool = false,
        preferredUsername: String? = nil, fullName: PersonName? = nil
    ) {
        self.issuer = issuer
        self.subject = subject
        self.email = email
        self.isEmailVerified = isEmailVerified
        self.preferredUsername = preferredUsername
        self.fullName = fullName
    }
}

/// What an identity provider, or the check of what it said, refuses.
public enum IdentityProviderRefusal: Error, Hashable, Sendable {
    /// The authorization code is wrong, expired or spent, or the answer to it lacks what it must hold.
    case codeRefused
    /// The ID token is no good: forged, expired, for somebody else, or of another nonce.
    case tokenInvalid
    /// The provider does not do this.
    case notOffered
    /// The provider asks us to come back later, in so many seconds.
    case throttled(retryAfterSeconds: Int)
}
