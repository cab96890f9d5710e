package import OstiaryCore

/// One of those who check the people of an app.
package struct IdentityConfiguration: Hashable, Sendable {
    /// What paths call it, unique in the app: small letters, digits and `-`.
    package var name: String
    /// What people read on its button.
    package var title: String
    package var source: Source

    package init(name: String, title: String, source: Source) {
        self.name = name
        self.title = title
        self.source = source
    }

    package enum Source: Hashable, Sendable {
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
    package enum Kind: String, CaseIterable, Sendable {
        case local, builtin, oidc, auth0, google, apple, github, cognito
    }

    package var kind: Kind {
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

    package struct OIDC: Hashable, Sendable {
        /// Compared byte for byte with `iss`.
        package var issuer: String
        package var clientID: String
        package var clientSecret: Secret<String>
        /// `openid` is among them.
        package var scopes = ["openid", "profile", "email"]
        /// Hosts besides the issuer's that its endpoints may be on, in lower case.
        package var endpointHosts: [String] = []
        /// Nil for what the provider's discovery document says.
        package var clientAuthentication: ClientAuthentication?
        /// PEM file with the authorities that its certificate is checked against, instead of the system's.
        package var caFile: String?
    }

    /// How a client proves itself at the token endpoint. Source: RFC 6749 §2.3.1.
    package enum ClientAuthentication: String, CaseIterable, Sendable { case basic, post }

    package struct Auth0: Hashable, Sendable {
        /// A host name, or in development a full URL.
        package var domain: String
        package var clientID: String
        package var clientSecret: Secret<String>
        package var audience: String
    }

    package struct Google: Hashable, Sendable {
        package var clientID: String
        package var clientSecret: Secret<String>
        /// Further audiences of ID tokens that a device got by itself.
        package var nativeClientIDs: [String]
        /// Instead of Google's own, for a stand-in of tests.
        package var issuer: String?
    }

    package struct Apple: Hashable, Sendable {
        /// The Services ID.
        package var clientID: String
        package var teamID: String
        package var keyID: String
        /// PEM of a PKCS #8 key on P-256.
        package var privateKey: Secret<String>
        /// Where the key was read from; nil where the configuration itself holds it.
        package var privateKeyFile: String?
        /// Bundle IDs: further audiences of ID tokens that a device got by itself.
        package var nativeClientIDs: [String]
        /// Instead of Apple's own, for a stand-in of tests.
        package var issuer: String?
    }

    package struct GitHub: Hashable, Sendable {
        package var clientID: String
        package var clientSecret: Secret<String>
        /// Where GitHub's pages and its API are instead, for a stand-in of tests.
        package var endpoint: String?
    }

    package struct Cognito: Hashable, Sendable {
        package var region: String
        package var userPoolID: String
        package var clientID: String
        /// Nil for an app client without one.
        package var clientSecret: Secret<String>?
        /// Whether a password that the pool accepts is hashed here as well.
        package var migrates: Bool
        /// Instead of the region's own, for example a stand-in of tests.
        package var endpoint: String?
    }
}
