import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Synchronization

/// The identity provider that the test kit's server suggests for a contract.
final class ScenarioProvider: IdentityProvider {
    let description: ProviderDescription
    let configuration: SocialConfiguration?
    let isOffered: Bool
    private let people = Mutex<[String: TestPerson]>([:])

    init(_ contract: Contract) {
        let isSocial = contract.rules.identifier != .subject
        let name = isSocial ? "auth0" : "oidc"
        isOffered = !isSocial || !contract.socialProviders.isEmpty
        description = ProviderDescription(
            name: name, kind: name, title: name, returnsToApp: isSocial,
            connections: Dictionary(uniqueKeysWithValues: contract.socialProviders.map { ($0, "\($0)-connection") }))
        configuration =
            isSocial && isOffered
            ? SocialConfiguration(
                domain: "auth0.test.example.com", clientID: "test-client", audience: "test-audience") : nil
    }

    /// What the browser is sent back with.
    func code(for person: TestPerson) -> String {
        people.withLock { people in
            let code = "code-\(people.count)"
            people[code] = person
            return code
        }
    }

    private var issuer: String { "https://\(description.name).test.example.com" }

    func authorizationURL(for request: AuthorizationRequest) async throws -> String {
        "\(issuer)/authorize?state=\(request.state.reveal())&redirect_uri=\(PercentEncoding.encode(request.redirectURI))"
    }

    func identity(for grant: AuthorizationGrant) async throws -> ProviderIdentity {
        guard let person = people.withLock({ $0[grant.code.reveal()] }) else {
            throw IdentityProviderRefusal.codeRefused
        }
        return ProviderIdentity(
            issuer: issuer, subject: person.subject, email: person.email, isEmailVerified: true,
            preferredUsername: person.preferredUsername, fullName: person.fullName)
    }

    func identity(fromToken token: Secret<String>, nonce: Secret<String>) async throws -> ProviderIdentity {
        throw IdentityProviderRefusal.notOffered
    }
}
