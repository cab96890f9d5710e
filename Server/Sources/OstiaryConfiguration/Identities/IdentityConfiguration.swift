package import OstiaryCore

/// One identity provider of an app.
package struct IdentityConfiguration: Hashable, Sendable {
    /// The name in paths, unique in the app: small letters, digits and `-`.
    package var name: String
    /// The text on its button.
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
        /// Auth0; nil for its built-in replacement in development mode.
        case auth0(Auth0?)
        case google(Google)
        case apple(Apple)
        case github(GitHub)
        case cognito(Cognito)
    }

    /// The names of the sources in the configuration.
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

    /// `true` if users sign in at the provider, in a browser.
    package var usesBrowser: Bool { kind != .local && kind != .cognito }

    package struct OIDC: Hashable, Sendable {
        /// The expected `iss`, compared byte for byte.
        package var issuer: String
        package var clientID: String
        package var clientSecret: Secret<String>
        /// The requested scopes, which include `openid`.
        package var scopes = ["openid", "profile", "email"]
        /// Hosts besides the issuer's that its endpoints may be on, in lower case.
        package var endpointHosts: [String] = []
        /// The client authentication method; nil for the one in the provider's discovery document.
        package var clientAuthentication: ClientAuthentication?
        /// A PEM file of the authorities that its certificate is verified against, instead of the system's.
        package var caFile: String?
    }

    /// A client's authentication method at the token endpoint. Source: RFC 6749 §2.3.1.
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
        /// Further audiences, for ID tokens that a device obtained itself.
        package var nativeClientIDs: [String]
        /// The issuer of a simulated provider in tests; nil for Google's own.
        package var issuer: String?
    }

    package struct Apple: Hashable, Sendable {
        /// The Services ID.
        package var clientID: String
        package var teamID: String
        package var keyID: String
        /// PEM of a PKCS #8 key on P-256.
        package var privateKey: Secret<String>
        /// The file that the key was read from; nil where the configuration itself holds it.
        package var privateKeyFile: String?
        /// Bundle IDs: further audiences, for ID tokens that a device obtained itself.
        package var nativeClientIDs: [String]
        /// The issuer of a simulated provider in tests; nil for Apple's own.
        package var issuer: String?
    }

    package struct GitHub: Hashable, Sendable {
        package var clientID: String
        package var clientSecret: Secret<String>
        /// The base URL of the pages and the API of a simulated provider in tests; nil for GitHub's own.
        package var endpoint: String?
    }

    package struct Cognito: Hashable, Sendable {
        package var region: String
        package var userPoolID: String
        package var clientID: String
        /// The app client's secret; nil for an app client without one.
        package var clientSecret: Secret<String>?
        /// `true` if a password that the pool accepts is hashed and stored here as well.
        package var migrates: Bool
        /// An alternative endpoint, for example a simulated one in tests; nil for the region's own.
        package var endpoint: String?
    }
}
