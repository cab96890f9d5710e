public import OstiaryCore

/// Who checks the people of an app.
public enum IdentityConfiguration: Hashable, Sendable {
    /// This server, by password or code.
    case local
    /// An OpenID provider; nil for the built-in one of development mode.
    case oidc(OIDC?)
    /// Auth0; nil for the built-in stand-in of development mode.
    case auth0(Auth0?)
    case cognito(Cognito)

    public struct OIDC: Hashable, Sendable {
        /// Compared byte for byte with `iss`.
        public var issuer: String
        public var clientID: String
        public var clientSecret: Secret<String>
    }

    public struct Auth0: Hashable, Sendable {
        /// A host name, or in development a full URL.
        public var domain: String
        public var clientID: String
        public var clientSecret: Secret<String>
        public var audience: String
    }

    public struct Cognito: Hashable, Sendable {
        public var region: String
        public var userPoolID: String
        public var clientID: String
        public var clientSecret: Secret<String>
        /// Instead of the region's own, for example a stand-in of tests.
        public var endpoint: String?
    }

    enum Kind: String, CaseIterable { case local, oidc, auth0, cognito }

    /// - Returns: Nil where it is left out.
    static func read(_ section: Section, mode: Mode) throws(ConfigurationProblem) -> IdentityConfiguration? {
        guard section.isPresent else { return nil }
        let kind = try section.required("kind", "one of \(Kind.allCases.map(\.rawValue).joined(separator: ", "))")
        let identity: IdentityConfiguration
        switch try kind.choice(of: Kind.self) {
        case .local: identity = .local
        case .oidc: identity = .oidc(try isBuiltIn(section, mode: mode) ? nil : OIDC(section, mode: mode))
        case .auth0: identity = .auth0(try isBuiltIn(section, mode: mode) ? nil : Auth0(section, mode: mode))
        case .cognito: identity = .cognito(try Cognito(section, mode: mode))
        }
        try section.finish()
        return identity
    }

    /// In development a kind alone stands for the built-in provider.
    private static func isBuiltIn(_ section: Section, mode: Mode) throws(ConfigurationProblem) -> Bool {
        guard mode == .development else { return false }
        for name in ["issuer", "domain", "client_id", "client_secret", "audience"] {
            if try section.setting(name) != nil { return false }
        }
        return true
    }
}

extension IdentityConfiguration.OIDC {
    init(_ section: Section, mode: Mode) throws(ConfigurationProblem) {
        let issuer = try section.required("issuer", "the provider's issuer URL")
        self.issuer = try WebURL(issuer, allowingPlain: mode == .development).text
        clientID = try section.required("client_id", "the client's id at the provider").string()
        clientSecret = try section.required("client_secret", "the client's secret at the provider").secret()
    }
}

extension IdentityConfiguration.Auth0 {
    init(_ section: Section, mode: Mode) throws(ConfigurationProblem) {
        let domain = try section.required("domain", "the tenant's domain, for example tenant.auth0.com")
        if mode == .development, try domain.string().contains("://") {
            self.domain = try WebURL(domain, allowingPlain: true).text
        } else {
            guard let name = HostName(try domain.string()) else {
                throw domain.problem("needs a host name, for example tenant.auth0.com (a URL is for development)")
            }
            self.domain = name.text
        }
        clientID = try section.required("client_id", "the application's client id").string()
        clientSecret = try section.required("client_secret", "the application's client secret").secret()
        audience = try section.required("audience", "the API's identifier").string()
    }
}

extension IdentityConfiguration.Cognito {
    init(_ section: Section, mode: Mode) throws(ConfigurationProblem) {
        let region = try section.required("region", "the pool's region, for example us-east-1")
        let pool = try section.required("user_pool_id", "the pool's id, for example us-east-1_AbCdEfGhI")
        // The region becomes part of a host name.
        guard try region.string().utf8.allSatisfy({ $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") }) else {
            throw region.problem("needs a region, for example us-east-1")
        }
        self.region = region.text
        userPoolID = try pool.string()
        clientID = try section.required("client_id", "the app client's id").string()
        clientSecret = try section.required("client_secret", "the app client's secret").secret()
        if let endpoint = try section.setting("endpoint") {
            self.endpoint = try WebURL(endpoint, allowingPlain: mode == .development).text
        }
    }
}
