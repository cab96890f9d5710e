import OstiaryCore
import OstiaryEngine

/// An identity provider with one account, which it returns for the right code.
struct ScriptedIdentityProvider: IdentityProvider {
    let description: ProviderDescription

    init(_ name: String, title: String? = nil, returnsToApp: Bool = false) {
        description = ProviderDescription(
            name: name, kind: name, title: title ?? name, returnsToApp: returnsToApp,
            issuer: "https://\(name).example.com")
    }

    static let code = "code of jo"

    /// The name of a provider that cannot be reached.
    static let away = "away"
    struct Away: Error {}

    func authorizationURL(for request: AuthorizationRequest) async throws -> String {
        guard description.name != Self.away else { throw Away() }
        return
            "https://\(description.name).example.com/authorize?state=\(request.state.reveal())&redirect_uri=\(request.redirectURI)"
    }

    func identity(for grant: AuthorizationGrant) async throws -> ProviderIdentity {
        guard grant.code.reveal() == Self.code else { throw IdentityProviderRefusal.codeRefused }
        return ProviderIdentity(
            issuer: "https://\(description.name).example.com", subject: "jo", email: try EmailAddress("jo@example.com"))
    }

    func identity(fromToken token: Secret<String>, nonce: Secret<String>) async throws -> ProviderIdentity {
        throw IdentityProviderRefusal.notOffered
    }
}
