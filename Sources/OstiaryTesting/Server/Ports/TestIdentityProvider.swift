import Foundation
import OstiaryCore
import OstiaryEngine
import Synchronization

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// An identity provider without pages: the test determines the person who signs in.
final class TestIdentityProvider: IdentityProvider {
    private struct State {
        /// Authorization requests by their `state`.
        var requests: [String: AuthorizationRequest] = [:]
        /// Grants by their authorization code.
        var grants: [String: (person: TestPerson, request: AuthorizationRequest)] = [:]
        var identityTokens: [String: IdentityToken] = [:]
    }

    private struct IdentityToken {
        var person: TestPerson
        var nonce: String
        var expiresAt: Date
    }

    static let identityTokenSeconds = 600.0

    let provider: TestProvider
    private let system: SystemDependencies
    private let state = Mutex(State())

    init(_ provider: TestProvider, _ system: SystemDependencies) {
        self.provider = provider
        self.system = system
    }

    var description: ProviderDescription {
        ProviderDescription(
            name: provider.name, kind: provider.kind, title: provider.name, returnsToApp: provider.returnsToApp,
            connections: Dictionary(provider.services.map { ($0, $0) }) { first, _ in first }, issuer: provider.issuer)
    }

    func authorizationURL(for request: AuthorizationRequest) -> String {
        let state = request.state.reveal()
        self.state.withLock { $0.requests[state] = request }
        return "\(provider.authorizationURL)?state=\(state)"
    }

    /// Returns the provider's answer at the redirect URI of the request; `nil` for an unknown state.
    func answer(to state: String, by visit: BrowserVisit) -> ProviderReturn? {
        self.state.withLock { known in
            guard let request = known.requests[state] else { return nil }
            switch visit {
            case .signIn(let person):
                let code = Base64URL.encode(system.randomBytes(32))
                known.grants[code] = (person, request)
                return ProviderReturn(
                    redirectURI: request.redirectURI, state: request.state, authorizationCode: Secret(code))
            case .refuse(let error):
                return ProviderReturn(redirectURI: request.redirectURI, state: request.state, error: error)
            }
        }
    }

    func identity(for grant: AuthorizationGrant) throws -> ProviderIdentity {
        let found = state.withLock { $0.grants.removeValue(forKey: grant.code.reveal()) }
        guard let (person, request) = found, request.redirectURI.utf8.elementsEqual(grant.redirectURI.utf8),
            CodeChallenge.matches(request.codeChallenge, verifier: grant.codeVerifier)
        else { throw IdentityProviderRefusal.codeRefused }
        return identity(of: person)
    }

    // MARK: ID tokens

    /// Returns an ID token of the kind that a provider's SDK gives to an app, valid for ten minutes.
    func issueIdentityToken(for person: TestPerson, nonce: String) -> Secret<String> {
        let token = Base64URL.encode(system.randomBytes(32))
        let expiresAt = system.now().addingTimeInterval(Self.identityTokenSeconds)
        state.withLock { $0.identityTokens[token] = IdentityToken(person: person, nonce: nonce, expiresAt: expiresAt) }
        return Secret(token)
    }

    func identity(fromToken token: Secret<String>, nonce: Secret<String>) throws -> ProviderIdentity {
        let found = state.withLock { $0.identityTokens[token.reveal()] }
        guard let found, system.now() < found.expiresAt, Self.carries(found.nonce, nonce) else {
            throw IdentityProviderRefusal.tokenInvalid
        }
        return identity(of: found.person)
    }

    /// Returns `true` for the nonce itself and for its SHA-256 in hexadecimal digits.
    private static func carries(_ carried: String, _ nonce: Secret<String>) -> Bool {
        let digest = SHA256.hash(data: Data(nonce.reveal().utf8))
            .map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        return carried.utf8.elementsEqual(nonce.reveal().utf8) || carried.utf8.elementsEqual(digest.utf8)
    }

    private func identity(of person: TestPerson) -> ProviderIdentity {
        ProviderIdentity(
            issuer: provider.issuer, subject: person.subject, email: person.email,
            isEmailVerified: person.email != nil, preferredUsername: person.preferredUsername,
            fullName: person.fullName)
    }
}
