public import OstiaryCore

/// An identity provider that people sign in at in a browser.
///
/// Every method reaches the network and returns within five seconds, with an answer or an error. Beyond the refusals
/// each names, any error means that the provider is unavailable or violates its protocol.
public protocol IdentityProvider: Sendable {
    /// The properties that are the same for every sign-in at the provider.
    var description: ProviderDescription { get }

    /// Returns the URL at which the browser signs in.
    func authorizationURL(for request: AuthorizationRequest) async throws -> String

    /// Returns `true` if the provider declares that each of its authorization responses names its issuer, so a response
    /// without one is forged. Source: RFC 9207 §2.4.
    func namesIssuer() async throws -> Bool

    /// Redeems an authorization code for the identity it stands for.
    ///
    /// - Throws: ``IdentityProviderRefusal``.
    func identity(for grant: AuthorizationGrant) async throws -> ProviderIdentity

    /// Returns the identity in an ID token that the device obtained itself. The token's `nonce` is `nonce` or its
    /// SHA-256 in lower-case hexadecimal digits.
    ///
    /// - Throws: ``IdentityProviderRefusal/tokenInvalid``; ``IdentityProviderRefusal/notOffered`` where the provider
    ///   issues no ID tokens, or none to an app of this server directly.
    func identity(fromToken token: Secret<String>, nonce: Secret<String>) async throws -> ProviderIdentity
}

extension IdentityProvider {
    /// Returns `false`: the provider declares nothing about `iss`.
    public func namesIssuer() async throws -> Bool { false }
}

/// The properties of a provider that are the same for every sign-in.
public struct ProviderDescription: Hashable, Sendable {
    /// The provider's name in an app's configuration and its paths, for example `google`.
    public var name: String
    /// The `auth_provider` of the provider's accounts, for example `auth0`.
    public var kind: String
    /// The display name, for a button.
    public var title: String
    /// `true` if the provider redirects the browser straight to the app's redirect URI, as with Auth0, instead of by
    /// way of this server's callback.
    public var returnsToApp: Bool
    /// The provider's names for the services people can choose from, by this server's: `google` is `google-oauth2` at
    /// Auth0. Empty for a provider that is one service itself.
    public var connections: [String: String]
    /// The required value of an `iss` in its responses; `nil` where it is not known. Source: RFC 9207 §2.4.
    public var issuer: String?
    /// `true` if this server assesses the risk of sign-ins at the provider: the built-in one. What follows is not assessed again.
    public var isAssessed: Bool

    /// Creates a description from its parts.
    public init(
        name: String, kind: String, title: String, returnsToApp: Bool = false, connections: [String: String] = [:],
        issuer: String? = nil, isAssessed: Bool = false
    ) {
        self.name = name
        self.kind = kind
        self.title = title
        self.returnsToApp = returnsToApp
        self.connections = connections
        self.issuer = issuer
        self.isAssessed = isAssessed
    }
}

/// The parameters of an authorization request to a provider. Source: RFC 6749 §4.1.1, RFC 7636 §4.3, OpenID Connect
/// Core §3.1.2.1.
public struct AuthorizationRequest: Hashable, Sendable {
    /// The `state`, which binds the response to the browser.
    public var state: Secret<String>
    /// The `nonce`, which binds the ID token to the request.
    public var nonce: String
    /// The S256 challenge of the verifier.
    public var codeChallenge: String
    /// The URI that the provider redirects the browser to.
    public var redirectURI: String
    /// One of the provider's connections, by the provider's own name.
    public var connection: String?

    /// Creates a request from its parts.
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

/// The parameters of a token request for an authorization code. Source: RFC 6749 §4.1.3, RFC 7636 §4.5.
public struct AuthorizationGrant: Hashable, Sendable {
    /// The authorization code.
    public var code: Secret<String>
    /// The PKCE code verifier.
    public var codeVerifier: Secret<String>
    /// The required `nonce` of the ID token.
    public var nonce: String
    /// The redirect URI of the authorization request.
    public var redirectURI: String

    /// Creates a grant from its parts.
    public init(code: Secret<String>, codeVerifier: Secret<String>, nonce: String, redirectURI: String) {
        self.code = code
        self.codeVerifier = codeVerifier
        self.nonce = nonce
        self.redirectURI = redirectURI
    }
}

/// A person as an identity provider vouches for them. Issuer and subject identify the person; all other fields are
/// labels.
public struct ProviderIdentity: Hashable, Sendable {
    /// The issuer identifier, compared byte for byte.
    public var issuer: String
    /// The issuer's identifier of the person: 1 to 255 bytes without control characters; compared byte for byte.
    public var subject: String
    /// The email address, if the provider gives a valid one.
    public var email: EmailAddress?
    /// `true` if the provider states that it verified the address: only a JSON `true` does.
    public var isEmailVerified: Bool
    /// The username at the provider, `preferred_username`.
    public var preferredUsername: String?
    /// The person's name.
    public var fullName: PersonName?

    /// Creates an identity from its parts.
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

/// The refusals of an identity provider, or of the validation of its response.
public enum IdentityProviderRefusal: Error, Hashable, Sendable {
    /// The authorization code is wrong, expired or redeemed, or the response to it lacks a required part.
    case codeRefused
    /// The ID token is invalid: forged, expired, for another audience, or with another nonce.
    case tokenInvalid
    /// The provider does not support the request.
    case notOffered
    /// The provider asks to retry later, after so many seconds.
    case throttled(retryAfterSeconds: Int)
}
