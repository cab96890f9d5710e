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

    public enum IdentifierKind: String, Codable, Hashable, Sendable {
        case email, phoneNumber, username
        /// The subject of an identity provider; the app itself takes no password.
        case subject
    }

    public enum AccountIDKind: String, Codable, Hashable, Sendable { case uuid, integer }

    public init(
        identifier: IdentifierKind, accountIDs: AccountIDKind = .uuid, registersWithCode: Bool = false,
        accessTokenSeconds: Int = 3600, refresh: RefreshRules? = nil, claims: ClaimRules = ClaimRules()
    ) {
        self.identifier = identifier
        self.accountIDs = accountIDs
        self.registersWithCode = registersWithCode
        self.accessTokenSeconds = accessTokenSeconds
        self.refresh = refresh
        self.claims = claims
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
