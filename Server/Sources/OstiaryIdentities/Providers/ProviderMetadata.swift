import OstiaryContracts
import OstiaryCore

/// The endpoints of a provider. Source: OpenID Connect Discovery §3, RFC 8414 §2.
struct ProviderMetadata: Sendable {
    var authorizationEndpoint: UpstreamURL
    var tokenEndpoint: UpstreamURL
    var keySet: UpstreamURL
    var userInfoEndpoint: UpstreamURL?
    var clientAuthentication = ClientAuthentication.basic
    /// `true` if every authorization response names the issuer. Source: RFC 9207 §3.
    var namesIssuer = false

    /// The reason that a document was refused, as a fixed text.
    struct Problem: Error, Hashable { var reason: String }

    init(authorization: UpstreamURL, token: UpstreamURL, keySet: UpstreamURL) {
        authorizationEndpoint = authorization
        tokenEndpoint = token
        self.keySet = keySet
    }

    /// Parses a discovery document.
    ///
    /// - Parameters:
    ///   - issuer: The expected issuer, compared byte for byte; a document with another one describes another provider.
    ///   - hosts: The hosts, with or without port, that endpoints may have besides the issuer's own.
    init(_ bytes: [UInt8], issuer: String, hosts: [String]) throws(Problem) {
        guard let document = try? JSON.read(bytes), case .object = document else {
            throw Problem(reason: "the discovery document is no JSON object")
        }
        guard case .string(let named)? = document["issuer"], named.utf8.elementsEqual(issuer.utf8),
            let home = UpstreamURL(issuer)
        else { throw Problem(reason: "the discovery document is another issuer's") }
        func endpoint(_ name: String) throws(Problem) -> UpstreamURL? {
            switch document[name] {
            case nil, .null?: return nil
            case .string(let text)?:
                if let url = UpstreamURL(text), Self.isAllowed(url, home: home, hosts: hosts) { return url }
                throw Problem(reason: "the \(name) is not on an allowed host")
            default: throw Problem(reason: "the \(name) is no text")
            }
        }
        guard let authorization = try endpoint("authorization_endpoint"), let token = try endpoint("token_endpoint"),
            let keySet = try endpoint("jwks_uri")
        else { throw Problem(reason: "the discovery document lacks an endpoint") }
        self.init(authorization: authorization, token: token, keySet: keySet)
        userInfoEndpoint = try endpoint("userinfo_endpoint")
        namesIssuer = document["authorization_response_iss_parameter_supported"] == true
        if case .array(let methods)? = document["token_endpoint_auth_methods_supported"],
            !methods.contains("client_secret_basic"), methods.contains("client_secret_post")
        {
            clientAuthentication = .post
        }
    }

    private static func isAllowed(_ url: UpstreamURL, home: UpstreamURL, hosts: [String]) -> Bool {
        guard url.isSecure || !home.isSecure else { return false }
        if url.host == home.host, url.port == home.port, url.isSecure == home.isSecure { return true }
        let standardPort = url.isSecure ? 443 : 80
        return hosts.contains { host in
            let host = host.lowercased()
            return host == "\(url.host):\(url.port)" || host == url.host && url.port == standardPort
        }
    }
}

/// The method of client authentication at the token endpoint. Source: RFC 6749 §2.3.1.
package enum ClientAuthentication: String, Hashable, Sendable {
    case basic = "client_secret_basic"
    case post = "client_secret_post"
}
