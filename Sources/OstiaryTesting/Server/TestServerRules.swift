public import OstiaryCore

/// The settings of a ``TestServer`` beyond its contract. The defaults are those of the production server.
public struct TestServerRules: Sendable {
    /// The lifetime of an access token in seconds; `nil` for the contract's.
    public var accessTokenSeconds: Int?
    /// The lifetime of a session in seconds, regardless of refreshes.
    public var sessionSeconds = 31_536_000
    /// The time after the successor's first use in which an earlier refresh token is still answered, in seconds.
    public var replaySeconds = 30
    /// `true` to never answer an earlier refresh token, as RFC 9700 §4.14.2 asks.
    public var isStrict = false
    /// The lifetime of a one-time code, in seconds.
    public var codeSeconds = 300
    /// The number of attempts at a one-time code.
    public var codeTries = 5
    /// The minimum time between two codes for one phone number, in seconds.
    public var codeCooldownSeconds = 60
    /// The lifetime of a password reset token, in seconds.
    public var resetSeconds = 3600
    /// The time after a password reset in which a second one for the same address sends nothing, in seconds.
    public var resetCooldownSeconds = 60
    /// The time limit of a sign-in in the browser, in seconds.
    public var browserSeconds = 600
    /// `true` to answer every registration alike and let the owner of the email address complete it, so that a
    /// registration does not reveal accounts.
    public var registersSafely = false
    /// `true` to issue a signing key with each session. The server does not verify signatures.
    public var issuesSigningKeys = false
    /// The binding of sessions to a key of the client (DPoP, RFC 9449).
    public var sessionBinding = SessionBinding.off
    /// The identity providers besides the server's own passwords. `nil` for the contract's suggestion: one provider for
    /// an app that signs in at an identity provider only, one in front of all services that the contract names, and
    /// none for any other.
    public var providers: [TestProvider]?
    /// The domain of passkeys; `nil` for a server without passkeys. ``TestPasskeys`` fits the default.
    public var passkeyDomain: String? = "example.com"
    /// The verification of the app itself by App Attest; off by default.
    public var appAttest = TestAppAttest.off
    /// `true` to require a second factor of every account: a sign-in adds it first.
    public var requiresSecondFactor = false
    /// The time for which a device is remembered after it showed a second factor, in days; 0 to ask at each sign-in.
    public var rememberDeviceDays = 0
    /// The permissions of each role; the role `admin` has all of them.
    public var roles: [String: [PermissionPattern]] = [:]
    /// The account attributes that the app declares.
    public var attributes = AttributeDefinitions.none
    /// `true` to write refusals as a backend other than Ostiary does: a status and a text, without `code`.
    public var answersAsOriginal = false

    /// The requirement that sessions are bound to a key.
    public enum SessionBinding: Hashable, Sendable {
        /// Sessions are not bound.
        case off
        /// A session is bound if its client proves a key.
        case accepted
        /// Every session is bound.
        case required
    }

    /// Creates the standard rules.
    public init() {}

    /// The rules of a server with Ostiary's default settings.
    public static let standard = TestServerRules()
    /// Returns the standard rules with access tokens that live for `seconds`.
    public static func accessTokens(lasting seconds: Int) -> TestServerRules {
        var rules = TestServerRules()
        rules.accessTokenSeconds = seconds
        return rules
    }
}

/// An identity provider that a ``TestServer`` plays.
public struct TestProvider: Hashable, Sendable {
    /// The name that requests select the provider by.
    public var name: String
    /// The `auth_provider` of accounts from this provider.
    public var kind: String
    /// The services that an app can select by name; empty for a provider with one service, selected by the provider's
    /// own name.
    public var services: [String]
    /// `true` if the browser returns directly to the app, as with Auth0, instead of through the server's callback.
    public var returnsToApp: Bool
    /// The answer to a request for the social settings. The server answers with its first provider's.
    public var configuration: SocialConfiguration?

    /// Creates a provider from its parts. `kind` defaults to `name`.
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

/// A person's identity at an identity provider.
public struct TestPerson: Hashable, Sendable {
    /// The stable identifier of the person at the provider (`sub`).
    public var subject: String
    /// The email address, always verified; `nil` if the provider gives none.
    public var email: EmailAddress?
    /// The username that the provider suggests; `nil` if it gives none.
    public var preferredUsername: String?
    /// The full name; `nil` if the provider gives none.
    public var fullName: PersonName?

    /// Creates a person from its parts.
    public init(
        subject: String, email: EmailAddress? = nil, preferredUsername: String? = nil, fullName: PersonName? = nil
    ) {
        self.subject = subject
        self.email = email
        self.preferredUsername = preferredUsername
        self.fullName = fullName
    }

    /// A person named Jo, with the email `jo@example.com` and no other name.
    public static let jo = TestPerson(subject: "jo", email: try? EmailAddress("jo@example.com"))
}
