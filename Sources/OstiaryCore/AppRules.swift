/// What a contract fixes about an app's accounts and tokens, whichever server serves it.
///
/// A server's configuration can change the numbers; it starts from these.
public struct AppRules: Codable, Hashable, Sendable {
    /// What people sign in with.
    public var identifier: IdentifierKind
    /// What account ids look like.
    public var accountIDs: AccountIDKind
    /// Whether registration asks for a one-time code sent to the identifier.
    public var registersWithCode: Bool
    /// How long an access token lives, in seconds.
    public var accessTokenSeconds: Int
    /// How refresh tokens are made; nil for apps without.
    public var refresh: RefreshRules?
    /// What an access token says about the person, besides ids and times.
    public var claims: ClaimRules
    /// How access tokens are signed.
    public var accessTokenSigning: AccessTokenSigning
    /// The environment variables that give a server the app's secrets and lifetimes.
    public var environment: EnvironmentRules

    public enum IdentifierKind: String, Codable, Hashable, Sendable {
        case email, phoneNumber, username
        /// The subject of an identity provider; the app itself takes no password.
        case subject
    }

    public enum AccountIDKind: String, Codable, Hashable, Sendable { case uuid, integer }

    /// The algorithm that signs an app's access tokens, and the owner of the key. Source: RFC 7518 §3.1.
    public enum AccessTokenSigning: String, Codable, CaseIterable, Hashable, Sendable {
        /// Keys of the server, whose public keys it publishes. A server's configuration may choose a shared secret instead.
        case es256
        /// A secret that the server shares with every service that checks the tokens. No configuration changes it.
        case hs256
    }

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

/// How an app's refresh tokens live and look.
public struct RefreshRules: Codable, Hashable, Sendable {
    /// How long a refresh token lives unused, in seconds.
    public var seconds: Int
    /// The same for sessions that were not asked to be remembered; nil where the contract makes no difference.
    public var shortSeconds: Int?
    /// Whether the token is a JWT or a string without a meaning to anyone else. Clients treat both as opaque.
    public var form: Form

    public enum Form: String, Codable, Hashable, Sendable { case opaque, jwt }

    public init(seconds: Int = 2_592_000, shortSeconds: Int? = nil, form: Form = .opaque) {
        self.seconds = seconds
        self.shortSeconds = shortSeconds
        self.form = form
    }
}

/// What an access token says about the person.
public struct ClaimRules: Codable, Hashable, Sendable {
    public var subject: Subject
    /// Whether `auth_provider` is told, and for accounts from an identity provider `email` and `name`.
    public var includesProfile: Bool

    public enum Subject: String, Codable, Hashable, Sendable {
        case accountID
        /// The username of a local account, the provider's subject of any other.
        case username
    }

    public init(subject: Subject = .accountID, includesProfile: Bool = false) {
        self.subject = subject
        self.includesProfile = includesProfile
    }
}

/// The environment variables that stand for an app's secrets and lifetimes beside a server's own `OSTIARY_APPS_…` variables.
///
/// A secret is read where the app has use for it: that of access tokens with HS256, that of refresh tokens where they are
/// JWTs or access tokens are signed with HS256.
public struct EnvironmentRules: Codable, Hashable, Sendable {
    /// The variable of the secret that signs access tokens.
    public var accessTokenSecret: String
    /// The variable of the secret that signs refresh tokens.
    public var refreshTokenSecret: String
    /// The variable of an access token's lifetime, in seconds.
    public var accessTokenSeconds: String
    /// The variable of an unused refresh token's lifetime, in seconds.
    public var refreshTokenSeconds: String
    /// `true` if a variable takes precedence over the server's configuration file; otherwise the file does.
    public var overridesFile: Bool

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
