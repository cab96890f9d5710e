import Foundation
import OstiaryCore
import OstiaryEngine
import Synchronization

/// An identity provider that follows its protocol exactly: a code is accepted once, with the verifier, the nonce and
/// the redirect URI of its authorization request.
final class ScriptedProvider: IdentityProvider {
    struct Away: Error {}

    private struct State {
        var requests: [AuthorizationRequest] = []
        var grants: [AuthorizationGrant] = []
        var codes: [Secret<String>: (request: AuthorizationRequest, person: ProviderIdentity)] = [:]
        var codesGiven = 0
        var tokens: [Secret<String>: (nonce: Secret<String>, person: ProviderIdentity)] = [:]
        var failure: (any Error)?
        var namesIssuer = false
        var interruption: (@Sendable () async throws -> Void)?
    }

    let description: ProviderDescription
    private let state = Mutex(State())

    init(_ description: ProviderDescription) { self.description = description }

    static func named(_ name: String, issuer: String? = nil) -> ScriptedProvider {
        ScriptedProvider(ProviderDescription(name: name, kind: name, title: name.capitalized, issuer: issuer))
    }

    static let auth0Description = ProviderDescription(
        name: "auth0", kind: "auth0", title: "Auth0", returnsToApp: true,
        connections: ["google": "google-oauth2", "github": "github"])

    /// The authorization requests of the browsers, in order.
    var requests: [AuthorizationRequest] { state.withLock { $0.requests } }
    /// The grants with which codes were redeemed, in order, accepted or refused.
    var grants: [AuthorizationGrant] { state.withLock { $0.grants } }

    /// Declares from now on that every response names the issuer.
    func announceIssuer() { state.withLock { $0.namesIssuer = true } }
    func namesIssuer() -> Bool { state.withLock { $0.namesIssuer } }

    /// Makes every call fail with the error; nil ends it.
    func fail(_ error: (any Error)?) { state.withLock { $0.failure = error } }
    /// Runs `interruption` while the next code is redeemed.
    func whileRedeeming(_ interruption: @escaping @Sendable () async throws -> Void) {
        state.withLock { $0.interruption = interruption }
    }

    /// Signs a person in who arrived with `request`, and returns the authorization code.
    func code(for request: AuthorizationRequest, as person: ProviderIdentity = .ada) -> Secret<String> {
        state.withLock { state in
            state.codesGiven += 1
            let code = Secret("code \(state.codesGiven)/\(description.name)")
            state.codes[code] = (request, person)
            return code
        }
    }

    /// Accepts an ID token from an app from now on.
    func accept(_ token: Secret<String>, nonce: Secret<String>, as person: ProviderIdentity = .ada) {
        state.withLock { $0.tokens[token] = (nonce, person) }
    }

    func authorizationURL(for request: AuthorizationRequest) async throws -> String {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            state.requests.append(request)
        }
        return "https://\(description.name).example.com/authorize?state=\(request.state.reveal())"
    }

    func identity(for grant: AuthorizationGrant) async throws -> ProviderIdentity {
        let interruption = state.withLock { state in
            state.grants.append(grant)
            defer { state.interruption = nil }
            return state.interruption
        }
        try await interruption?()
        return try state.withLock { state in
            if let failure = state.failure { throw failure }
            guard let (request, person) = state.codes.removeValue(forKey: grant.code),
                CodeChallenge.matches(request.codeChallenge, verifier: grant.codeVerifier),
                request.redirectURI.utf8.elementsEqual(grant.redirectURI.utf8)
            else { throw IdentityProviderRefusal.codeRefused }
            guard request.nonce == grant.nonce else { throw IdentityProviderRefusal.tokenInvalid }
            return person
        }
    }

    func identity(fromToken token: Secret<String>, nonce: Secret<String>) async throws -> ProviderIdentity {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            guard let (expected, person) = state.tokens[token], expected == nonce else {
                throw IdentityProviderRefusal.tokenInvalid
            }
            return person
        }
    }
}

extension ProviderIdentity {
    static let ada = ProviderIdentity(
        issuer: "https://idp.example.com", subject: "ada-1", email: try? EmailAddress("ada@example.com"),
        isEmailVerified: true, preferredUsername: "ada.l", fullName: try? PersonName("Ada Lovelace"))

    /// Returns Ada's identity with a change.
    static func ada(_ change: (inout ProviderIdentity) -> Void) -> ProviderIdentity {
        var ada = Self.ada
        change(&ada)
        return ada
    }
}
