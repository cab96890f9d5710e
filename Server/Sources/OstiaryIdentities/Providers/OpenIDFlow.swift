import Foundation
import Logging
import OstiaryContracts
import OstiaryCore
import OstiaryEngine

/// The authorization code flow with any provider that issues ID tokens.
///
/// Source: OpenID Connect Core §3.1; RFC 7636; RFC 9700 §2.1.
struct OpenIDFlow: Sendable {
    /// The issuer of accounts that sign in there.
    var issuer: String
    /// Further accepted values of an ID token's `iss`.
    var otherIssuers: [String] = []
    var clientID: String
    /// The client secret; a function, because Apple's is created for each request.
    var clientSecret: @Sendable () throws -> Secret<String>
    /// Nil for the method that the provider's metadata declares.
    var authentication: ClientAuthentication?
    var scope: String
    var parameters: [(name: String, value: String)] = []
    /// The client ids of apps that obtain ID tokens themselves; nil where there are none.
    var nativeAudiences: [String]?
    /// `true` if those apps give the provider the hash of their nonce, so that the token does not contain the nonce.
    var hashesNativeNonces = false
    /// The claims that are requested from the userinfo endpoint if the ID token lacks one of them.
    var wantedClaims: [String] = []
    var client: UpstreamClient
    var system: SystemDependencies
    var metadata: @Sendable () async throws -> ProviderMetadata
    var keys: CachedDocument<VerificationKeySet>

    func authorizationURL(for request: AuthorizationRequest) async throws -> String {
        try await client.withOperationDeadline(issuer) {
            var fields = [
                (name: "response_type", value: "code"), (name: "client_id", value: clientID),
                (name: "redirect_uri", value: request.redirectURI), (name: "scope", value: scope),
                (name: "state", value: request.state.reveal()), (name: "nonce", value: request.nonce),
                (name: "code_challenge", value: request.codeChallenge),
                (name: "code_challenge_method", value: "S256"),
            ]
            // Configured parameters add to these and replace none.
            let own = Set(fields.map(\.name))
            fields += parameters.filter { !own.contains($0.name) }
            return URLQuery.append(fields, to: try await metadata().authorizationEndpoint.text)
        }
    }

    func identity(for grant: AuthorizationGrant) async throws -> ProviderIdentity {
        try await client.withOperationDeadline(issuer) {
            let metadata = try await metadata()
            let endpoint = TokenEndpoint(
                url: metadata.tokenEndpoint, client: client, clientID: clientID, clientSecret: try clientSecret(),
                authentication: authentication ?? metadata.clientAuthentication)
            let answer = try await endpoint.redeem(grant)
            guard case .string(let idToken)? = answer["id_token"] else { throw IdentityProviderRefusal.codeRefused }
            var accessToken: Secret<String>?
            if case .string(let text)? = answer["access_token"] { accessToken = Secret(text) }
            let check = IDTokenCheck(
                issuers: [issuer] + otherIssuers, audiences: [clientID], nonce: .exactly(Secret(grant.nonce)),
                accessToken: accessToken)
            let (subject, claims) = try await verified(Secret(idToken), check)
            var person = PersonClaims(claims)
            if wantedClaims.contains(where: { claims[$0] == nil }), let url = metadata.userInfoEndpoint,
                let accessToken,
                let more = try await UserInfoEndpoint(url: url, client: client).claims(accessToken, subject: subject)
            {
                person.fill(from: more)
            }
            return person.identity(issuer: issuer, subject: subject)
        }
    }

    func identity(fromToken token: Secret<String>, nonce: Secret<String>) async throws -> ProviderIdentity {
        guard let nativeAudiences else { throw IdentityProviderRefusal.notOffered }
        return try await client.withOperationDeadline(issuer) {
            let check = IDTokenCheck(
                issuers: [issuer] + otherIssuers, audiences: nativeAudiences,
                nonce: hashesNativeNonces ? .hashed(nonce) : .orItsHash(nonce))
            let (subject, claims) = try await verified(token, check)
            return PersonClaims(claims).identity(issuer: issuer, subject: subject)
        }
    }

    /// - Throws: ``IdentityProviderRefusal/tokenInvalid``; ``UpstreamProblem`` if there are no keys to verify it with.
    private func verified(
        _ text: Secret<String>, _ check: IDTokenCheck
    ) async throws -> (subject: String, claims: JSON) {
        guard let token = UnverifiedToken(text.reveal()) else { throw refusing(.form) }
        var key = try await keys.value().key(for: token)
        // Refetch for an unknown key: providers rotate keys without notice.
        if key == nil { key = try await keys.value(isDemanded: true).key(for: token) }
        guard let key else { throw refusing(.key) }
        guard key.signed(token) else { throw refusing(.signature) }
        do throws(IDTokenCheck.Problem) {
            return (try check.subject(of: token, at: system.now()), token.claims)
        } catch {
            throw refusing(error)
        }
    }

    /// Logs the check that failed, and nothing of the token: the caller learns only that it is not valid.
    private func refusing(_ problem: IDTokenCheck.Problem) -> IdentityProviderRefusal {
        client.log.info(
            "ID token refused", metadata: ["issuer": "\(issuer)", "check": "\(problem.rawValue)"])
        return .tokenInvalid
    }
}

extension OpenIDFlow {
    /// Returns a cached source of metadata from the issuer's discovery document. Source: OpenID Connect Discovery §4.
    static func discovery(
        issuer: String, hosts: [String], client: UpstreamClient, system: SystemDependencies
    ) -> @Sendable () async throws -> ProviderMetadata {
        let path = issuer.utf8.last == UInt8(ascii: "/") ? String(issuer.dropLast()) : issuer
        let cache = CachedDocument(system: system) {
            let url = "\(path)/.well-known/openid-configuration"
            let answer = try await client.send(UpstreamRequest(.get, url))
            let origin = UpstreamURL(url)?.origin ?? "?"
            guard answer.status == 200 else { throw UpstreamProblem.status(answer.status, origin: origin) }
            do throws(ProviderMetadata.Problem) {
                return try ProviderMetadata(answer.body, issuer: issuer, hosts: hosts)
            } catch {
                throw UpstreamProblem.unexpectedAnswer(origin: origin, reason: error.reason)
            }
        }
        return { try await cache.value() }
    }

    /// Returns a cached source of the keys that the metadata names.
    static func keys(
        _ metadata: @escaping @Sendable () async throws -> ProviderMetadata, client: UpstreamClient,
        system: SystemDependencies
    ) -> CachedDocument<VerificationKeySet> {
        CachedDocument(system: system) {
            let url = try await metadata().keySet
            let answer = try await client.send(UpstreamRequest(.get, url.text))
            guard answer.status == 200 else { throw UpstreamProblem.status(answer.status, origin: url.origin) }
            guard let keys = VerificationKeySet(answer.body) else {
                throw UpstreamProblem.unexpectedAnswer(origin: url.origin, reason: "the keys are no key set")
            }
            return keys
        }
    }
}
