extension IdentityConfiguration.OIDC {
    static let keys = [
        "issuer", "client_id", "client_secret", "scopes", "endpoint_hosts", "client_authentication", "ca_file",
    ]

    init(_ section: Section, mode: Mode) throws(ConfigurationProblem) {
        let issuer = try section.required("issuer", "the provider's issuer URL")
        self.issuer = try WebURL(issuer, allowingPlain: mode == .development).text
        clientID = try section.required("client_id", "the client's id at the provider").string()
        clientSecret = try section.required("client_secret", "the client's secret at the provider").secret()
        scopes = try Self.scopes(section) ?? scopes
        for setting in try section.list("endpoint_hosts") ?? [] {
            guard let host = HostName(try setting.string()) else {
                throw setting.problem("needs host names without port and wildcard")
            }
            endpointHosts.append(host.text)
        }
        clientAuthentication = try section.choice("client_authentication")
        caFile = try section.readableFile("ca_file", "a PEM file")
    }

    /// Reads the scopes. Source: RFC 6749 §3.3, OpenID Connect Core §3.1.2.1.
    private static func scopes(_ section: Section) throws(ConfigurationProblem) -> [String]? {
        guard let settings = try section.list("scopes") else { return nil }
        var scopes: [String] = []
        for setting in settings {
            let scope = try setting.string()
            guard scope.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"\"\\".utf8.contains($0) }) else {
                throw setting.problem("needs a list of scopes without spaces")
            }
            scopes.append(scope)
        }
        guard scopes.contains("openid") else { throw section.problem("scopes", "needs openid among them") }
        return scopes
    }
}

extension IdentityConfiguration.Auth0 {
    static let keys = ["domain", "client_id", "client_secret", "audience"]

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
