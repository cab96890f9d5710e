import OstiaryCore
import OstiaryEngine

/// A client's authentication request, parsed and validated: every parameter is allowed.
///
/// Source: OpenID Connect Core §3.1.2.1, RFC 6749 §4.1.1, RFC 7636 §4.3.
package struct AuthenticationRequest: Hashable, Sendable {
    package let client: ProviderClient
    /// One of the client's redirect URIs, matched byte for byte.
    package let redirectURI: String
    package let state: String?
    let nonce: String?
    /// The PKCE challenge, of the method S256; nil for a confidential client without PKCE.
    let codeChallenge: String?
    package let scopes: [Scope]
    let prompts: Set<Prompt>
    let maximumAge: Int?
    /// The known levels that the client requests, in its order of preference; empty for any level.
    let levels: [AuthenticationLevel]
    /// The address that the user may have; not verified.
    package let loginHint: String?
    /// The account that the client expects, as an ID token; not verified.
    let idTokenHint: Secret<String>?
    let uiLocales: String?
    /// The simulated social provider that the client requests.
    package let connection: String?
    /// The thumbprint of the key that must redeem the code, `dpop_jkt`; nil for none. Source: RFC 9449 §10.
    let boundKey: String?

    /// The values of `prompt`. Source: OpenID Connect Core §3.1.2.1 (prompt).
    enum Prompt: String, CaseIterable, Sendable {
        case none, login, consent
        case selectAccount = "select_account"
    }

    /// A refusal of a request before any user interaction.
    enum Refusal: Error, Hashable {
        /// A page informs the user, because no redirect is allowed.
        case page(AuthorizationStep.Problem)
        /// The browser is redirected to this URI, which informs the client.
        case redirect(String)
    }

    /// - Parameter parameters: The decoded parameters, each name once.
    /// - Throws: ``Refusal``.
    init(_ parameters: [String: String], at provider: OpenIDProvider) throws(Refusal) {
        // A parameter without a value is treated as omitted. Source: RFC 6749 §3.1.
        let given = parameters.filter { !$0.value.isEmpty }
        guard let id = given["client_id"], let client = provider.client(id) else { throw .page(.unknownClient) }
        guard let redirectURI = given["redirect_uri"], client.redirectURIs.contains(redirectURI) else {
            throw .page(.redirectURIRefused)
        }
        self.client = client
        self.redirectURI = redirectURI
        state = given["state"]
        // Values that are carried through pages and single-use records have a length limit.
        for (name, limit) in [
            ("state", 2048), ("nonce", 512), ("login_hint", 256), ("ui_locales", 128), ("scope", 512),
            ("acr_values", 512),
        ] {
            guard (given[name]?.utf8.count ?? 0) <= limit else { throw .page(.malformedRequest) }
        }
        nonce = given["nonce"]
        loginHint = given["login_hint"]
        uiLocales = given["ui_locales"]
        levels = Self.levels(given["acr_values"] ?? "")
        let answer = AuthorizationAnswer(issuer: provider.settings.issuer, redirectURI: redirectURI, state: state)
        do throws(AuthorizationProblem) {
            try Self.checkForm(given)
            codeChallenge = try Self.codeChallenge(given, for: client)
            scopes = try Self.scopes(given)
            prompts = try Self.prompts(given)
            maximumAge = try Self.maximumAge(given)
            connection = try Self.connection(given, at: provider.settings)
            idTokenHint = try Self.idTokenHint(given)
            boundKey = provider.bindsTokens ? try Self.thumbprint(given) : nil
        } catch {
            throw .redirect(answer.refusing(error))
        }
    }

    private static func checkForm(_ given: [String: String]) throws(AuthorizationProblem) {
        guard given["request"] == nil else { throw .requestNotSupported }
        guard given["request_uri"] == nil else { throw .requestURINotSupported }
        guard given["registration"] == nil else { throw .registrationNotSupported }
        guard let type = given["response_type"] else { throw .invalidRequest }
        guard type == "code" else { throw .unsupportedResponseType }
        guard given["response_mode"] ?? "query" == "query" else { throw .invalidRequest }
    }

    private static func codeChallenge(
        _ given: [String: String], for client: ProviderClient
    ) throws(AuthorizationProblem) -> String? {
        guard let challenge = given["code_challenge"] else {
            // A method alone is half a challenge, whose other half was removed on the way. Source: RFC 9700 §4.8.
            guard given["code_challenge_method"] == nil, client.secret != nil else { throw .invalidRequest }
            return nil
        }
        guard given["code_challenge_method"] == "S256", CodeChallenge.isWellFormed(challenge) else {
            throw .invalidRequest
        }
        return challenge
    }

    private static func scopes(_ given: [String: String]) throws(AuthorizationProblem) -> [Scope] {
        let scopes = Scope.read(given["scope"] ?? "")
        guard scopes.contains(.openid) else { throw .invalidScope }
        return scopes
    }

    private static func prompts(_ given: [String: String]) throws(AuthorizationProblem) -> Set<Prompt> {
        var prompts: Set<Prompt> = []
        for word in (given["prompt"] ?? "").utf8.split(separator: UInt8(ascii: " ")) {
            guard let prompt = Prompt.allCases.first(where: { $0.rawValue.utf8.elementsEqual(word) }) else {
                throw .invalidRequest
            }
            prompts.insert(prompt)
        }
        guard !prompts.contains(.none) || prompts.count == 1 else { throw .invalidRequest }
        return prompts
    }

    /// Unknown values are ignored, as the parameter is a wish. Source: OpenID Connect Core §3.1.2.1 (acr_values), §5.5.1.1.
    private static func levels(_ text: String) -> [AuthenticationLevel] {
        let known = text.utf8.split(separator: UInt8(ascii: " ")).compactMap { word in
            AuthenticationLevel.allCases.first { $0.rawValue.utf8.elementsEqual(word) }
        }
        return known.enumerated().filter { known.firstIndex(of: $0.element) == $0.offset }.map(\.element)
    }

    private static func maximumAge(_ given: [String: String]) throws(AuthorizationProblem) -> Int? {
        guard let text = given["max_age"] else { return nil }
        guard text.utf8.count <= 9, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let seconds = Int(text) else {
            throw .invalidRequest
        }
        return seconds
    }

    private static func idTokenHint(_ given: [String: String]) throws(AuthorizationProblem) -> Secret<String>? {
        guard let hint = given["id_token_hint"] else { return nil }
        // It is carried through pages too; this provider issues no longer one.
        guard hint.utf8.count <= 4096 else { throw .invalidRequest }
        return Secret(hint)
    }

    private static func thumbprint(_ given: [String: String]) throws(AuthorizationProblem) -> String? {
        guard let thumbprint = given["dpop_jkt"] else { return nil }
        guard thumbprint.utf8.count == 43, Base64URL.decode(thumbprint.utf8) != nil else { throw .invalidRequest }
        return thumbprint
    }

    private static func connection(
        _ given: [String: String], at settings: ProviderSettings
    ) throws(AuthorizationProblem) -> String? {
        // Outside development it is an unknown parameter, which is ignored.
        guard settings.mocksConnections, let name = given["connection"] else { return nil }
        guard let known = MockConnection.connections.first(where: { $0.utf8.elementsEqual(name.utf8) }) else {
            throw .invalidRequest
        }
        return known
    }
}
