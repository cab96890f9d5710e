public import OstiaryCore

/// What holds on a ``TestServer`` beyond its contract. The figures are the real server's.
public struct TestServerRules: Sendable {
    /// How long an access token lives; nil for what the contract says.
    public var accessTokenSeconds: Int?
    /// How long a session lives however often it is refreshed, in seconds.
    public var sessionSeconds = 31_536_000
    /// For how long after its successor's first use an earlier refresh token is answered again, in seconds.
    public var replaySeconds = 30
    /// Whether an earlier refresh token is never answered.
    public var isStrict = false
    /// How long a one-time code lives, in seconds.
    public var codeSeconds = 300
    /// How often a wrong code may be tried.
    public var codeTries = 5
    /// How long a phone number waits for its next code, in seconds.
    public var codeCooldownSeconds = 60
    /// How long the token of a password reset lives, in seconds.
    public var resetSeconds = 3600
    /// Within how many seconds a second reset for one address sends nothing.
    public var resetCooldownSeconds = 60
    /// How long a sign-in in the browser may take, in seconds.
    public var browserSeconds = 600
    /// Whether registration answers everyone alike and lets the owner of the address finish it.
    public var registersSafely = false
    /// Whether sessions get a signing key. Signatures are not looked at.
    public var issuesSigningKeys = false
    /// Where people can sign in besides here; nil for what the contract suggests: one provider for an app whose people sign
    /// in elsewhere, one in front of all services that the contract names, and none for any other.
    public var providers: [TestProvider]?
    /// Whether refusals are those of a backend that is not ours: a status and a text, without `code`.
    public var answersAsOriginal = false

    public init() {}

    public static let standard = TestServerRules()
    /// With access tokens of so many seconds.
    public static func accessTokens(lasting seconds: Int) -> TestServerRules {
        var rules = TestServerRules()
        rules.accessTokenSeconds = seconds
        return rules
    }
}

/// An identity provider that a ``TestServer`` plays as well.
public struct TestProvider: Hashable, Sendable {
    public var name: String
    /// What accounts from there have as their `auth_provider`.
    public var kind: String
    /// What an app can ask for by name; empty for a provider that is one service itself, called as the provider is.
    public var services: [String]
    /// Whether the browser goes straight back to the app, as with Auth0, instead of by way of the server.
    public var returnsToApp: Bool
    /// What is told to whoever asks for the social settings.
    public var configuration: SocialConfiguration?

    public init(
        name: String, kind: String? = nil, services: [String] = [], returnsToApp: Bool = false,
        configuration: SocialConfiguration? = nil
    ) {
        self.name = name
        self.kind = kind ?? name
        self.services = services
        self.returnsToApp = returnsToApp
        self.configuration = configuration
    }

    var issuer: String { "https://\(name).test.example.com" }
    var authorizationURL: String { "\(issuer)/authorize" }
}

/// A person as an identity provider knows them.
public struct TestPerson: Hashable, Sendable {
    /// Who it is, at that provider.
    public var subject: String
    public var email: EmailAddress?
    public var preferredUsername: String?
    public var fullName: PersonName?

    public init(
        subject: String, email: EmailAddress? = nil, preferredUsername: String? = nil, fullName: PersonName? = nil
    ) {
        self.subject = subject
        self.email = email
        self.preferredUsername = preferredUsername
        self.fullName = fullName
    }

    /// Jo, with an email and no other name.
    public static let jo = TestPerson(subject: "jo", email: try? EmailAddress("jo@example.com"))
}
