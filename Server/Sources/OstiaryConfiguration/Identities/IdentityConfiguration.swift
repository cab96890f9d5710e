public import OstiaryCore

/// One of those who check the people of an app.
public struct IdentityConfiguration: Hashable, Sendable {
    /// What paths call it, unique in the app: small letters, digits and `-`.
    public var name: String
    /// What people read on its button.
    public var title: String
    public var source: Source

    public init(name: String, title: String, source: Source) {
        self.name = name
        self.title = title
        self.source = source
    }

    public enum Source: Hashable, Sendable {
        /// This server, by password or code.
        case local
        /// This server's own provider at `/idp`.
        case builtIn
        /// An OpenID provider; nil for the built-in one of development mode.
        case oidc(OIDC?)
        /// Auth0; nil for the built-in stand-in of development mode.
        case auth0(Auth0?)
        case google(Google)
        case apple(Apple)
        case github(GitHub)
        case cognito(Cognito)
    }

    /// What the configuration calls the sources.
    public enum Kind: String, CaseIterable, Sendable {
        case local, builtin, oidc, auth0, google, apple, github, cognito
    }

    public var kind: Kind {
        switch source {
        case .local: .local
        case .builtIn: .builtin
        case .oidc: .oidc
        case .auth0: .auth0
        case .google: .google
        case .apple: .apple
        case .github: .github
        case .cognito: .cognito
        }
    }

    public struct OIDC: Hashable, Sendable {
        /// Compared byte for byte with `iss`.
        public var issuer: String
        public var clientID: String
        public var clientSecret: Secret<String>
        /// `openid` is among them.
        public var scopes = ["openid", "profile", "email"]
        /// Hosts besides the issuer's that its endpoints may be on, in lower case.
        public var endpointHosts: [String] = []
        /// Nil for what the provider's discovery document says.
        public var clientAuthentication: ClientAuthentication?
        /// PEM file with the authorities that its certificate is checked against, instead of the system's.
        public var caFile: String?
    }

    /// How a client proves itself at the token endpoint. Source: RFC 6749 §2.3.1.
    public enum ClientAuthentication: String, CaseIterable, Sendable { case basic, post }

    public struct Auth0: Hashable, Sendable {
        /// A host name, or in development a full URL.
        public var domain: String
        public var clientID: String
        public var clientSecret: Secret<String>
        public var audience: String
    }

    public struct Google: Hashable, Sendable {
        public var clientID: String
        public var clientSecret: Secret<String>
        /// Further audiences of ID tokens that a device got by itself.
        public var nativeClientIDs: [String]
        /// Instead of Google's own, for a stand-in of tests.
        public var issuer: String?
    }

    public struct Apple: Hashable, Sendable {
        /// The Services ID.
        public var clientID: String
        public var teamID: String
        public var keyID: String
        /// PEM of a PKCS #8 key on P-256.
        public var privateKey: Secret<String>
        /// Where the key was read from; nil where the configuration itself holds it.
        public var privateKeyFile: String?
        /// Bundle IDs: further audiences of ID tokens that a device got by itself.
        public var nativeClientIDs: [String]
        /// Instead of Apple's own, for a stand-in of tests.
        public var issuer: String?
    }

    public struct GitHub: Hashable, Sendable {
        public var clientID: String
        public var clientSecret: Secret<String>
        /// Where GitHub's pages and its API are instead, for a stand-in of tests.
        public var endpoint: String?
    }

    public struct Cognito: Hashable, Sendable {
        public var region: String
        public var userPoolID: String
        public var clientID: String
        /// Nil for an app client without one.
        public var clientSecret: Secret<String>?
        /// Whether a password that the pool accepts is hashed here as well.
        public var migrates: Bool
        /// Instead of the region's own, for example a stand-in of tests.
        public var endpoint: String?
    }
}
