/// The rules of an app's accounts and tokens that its contract fixes, independent of the server that serves it.
///
/// A server's configuration may override the numbers; these are its defaults.
public struct AppRules: Codable, Hashable, Sendable {
    /// The kind of identifier that users sign in with.
    public var identifier: IdentifierKind
    /// The format of account identifiers.
    public var accountIDs: AccountIDKind
    /// `true` if registration requires a one-time code sent to the identifier.
    public var registersWithCode: Bool
    /// The lifetime of an access token, in seconds.
    public var accessTokenSeconds: Int
    /// The lifetime and format of refresh tokens; nil for apps without refresh tokens.
    public var refresh: RefreshRules?
    /// The claims about the user that an access token carries besides identifiers and times.
    public var claims: ClaimRules
    /// The algorithm that signs access tokens.
    public var accessTokenSigning: AccessTokenSigning
    /// The environment variables that supply the app's secrets and lifetimes to a server.
    public var environment: EnvironmentRules

    /// The kind of identifier that users of an app sign in with.
    public enum IdentifierKind: String, Codable, Hashable, Sendable {
        /// An identifier that the account stores, checked together with a password.
        case email, phoneNumber, username
        /// The subject of an identity provider; the app itself accepts no password.
        case subject
    }

    /// The format of an app's account identifiers: a UUID or an integer in decimal.
    public enum AccountIDKind: String, Codable, Hashable, Sendable { case uuid, integer }

    /// The algorithm that signs an app's access tokens, and the owner of the key. Source: RFC 7518 §3.1.
    public enum AccessTokenSigning: String, Codable, CaseIterable, Hashable, Sendable {
        /// Signs with the server's key pairs, whose public keys it publishes. A server's configuration may choose a
        /// shared secret instead.
        case es256
        /// Signs with a secret that the server shares with every service that verifies the tokens. No configuration
        /// changes it.
        case hs256
    }

    /// Creates rules from their parts; a parameter left out takes the default of a contract that does not specify it.
    public init(
        identifier: IdentifierKind, accountIDs: AccountIDKind = .uuid, registersWithCode: Bool = false,
        accessTokenSeconds: Int = 3600, refresh: RefreshRules? = nil, claims: ClaimRules = ClaimRules(),
        accessTokenSigning: AccessTokenSigning = .es256, environment: EnvironmentRules = EnvironmentRules()
    ) {
        self.identifier = identifier
        self.accountIDs = accountIDs
        self.registersWithCode = registersWithCode
        self.accessTokenSeconds = accessTokenSeconds
        self.refresh = refresh
        self.claims = claims
        self.accessTokenSigning = accessTokenSigning
        self.environment = environment
    }
}

/// The lifetime and format of an app's refresh tokens.
public struct RefreshRules: Codable, Hashable, Sendable {
    /// The lifetime of an unused refresh token, in seconds.
    public var seconds: Int
    /// The lifetime, in seconds, for sessions opened without "remember me"; nil if the contract does not distinguish
    /// them.
    public var shortSeconds: Int?
    /// The token format: a JWT or an opaque string. Clients treat both as opaque.
    public var form: Form

    /// The format of a refresh token: a random string that only its server interprets, or a JWT.
    public enum Form: String, Codable, Hashable, Sendable { case opaque, jwt }

    /// Creates rules from their parts; by default, opaque tokens that live for 30 days unused.
    public init(seconds: Int = 2_592_000, shortSeconds: Int? = nil, form: Form = .opaque) {
        self.seconds = seconds
        self.shortSeconds = shortSeconds
        self.form = form
    }
}

/// The claims about the user that an access token carries.
public struct ClaimRules: Codable, Hashable, Sendable {
    /// The value of the `sub` claim.
    public var subject: Subject
    /// `true` if the token carries `auth_provider` and, for accounts from an identity provider, `email` and `name`.
    public var includesProfile: Bool

    /// The value that identifies the account in the `sub` claim.
    public enum Subject: String, Codable, Hashable, Sendable {
        /// The account identifier.
        case accountID
        /// The username of a local account; the provider's subject for any other account.
        case username
    }

    /// Creates rules from their parts; by default, the account identifier as subject and no profile claims.
    public init(subject: Subject = .accountID, includesProfile: Bool = false) {
        self.subject = subject
        self.includesProfile = includesProfile
    }
}

/// The environment variables that supply an app's secrets and lifetimes, in addition to a server's own `OSTIARY_APPS_…`
/// variables.
///
/// A secret is read only if the app uses it: the access token secret with HS256; the refresh token secret if refresh
/// tokens are JWTs or access tokens are signed with HS256.
public struct EnvironmentRules: Codable, Hashable, Sendable {
    /// The name of the variable that holds the secret that signs access tokens.
    public var accessTokenSecret: String
    /// The name of the variable that holds the secret that signs refresh tokens.
    public var refreshTokenSecret: String
    /// The name of the variable that holds the lifetime of an access token, in seconds.
    public var accessTokenSeconds: String
    /// The name of the variable that holds the lifetime of an unused refresh token, in seconds.
    public var refreshTokenSeconds: String
    /// `true` if a variable takes precedence over the server's configuration file; otherwise the file does.
    public var overridesFile: Bool

    /// Creates rules from the names of the variables; by default, the configuration file takes precedence.
    public init(
        accessTokenSecret: String = "JWT_SECRET", refreshTokenSecret: String = "JWT_REFRESH_SECRET",
        accessTokenSeconds: String = "JWT_EXPIRES_IN_SECONDS",
        refreshTokenSeconds: String = "JWT_REFRESH_EXPIRES_IN_SECONDS", overridesFile: Bool = false
    ) {
        self.accessTokenSecret = accessTokenSecret
        self.refreshTokenSecret = refreshTokenSecret
        self.accessTokenSeconds = accessTokenSeconds
        self.refreshTokenSeconds = refreshTokenSeconds
        self.overridesFile = overridesFile
    }
}
