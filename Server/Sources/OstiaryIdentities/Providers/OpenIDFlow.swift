import Foundation
import Logging
import OstiaryContracts
import OstiaryCore
import OstiaryEngine

/// The authorization code flow with a provider that gives ID tokens, whatever it is called.
///
/// Source: OpenID Connect Core §3.1; RFC 7636; RFC 9700 §2.1.
struct OpenIDFlow: Sendable {
    /// What accounts from here have as their issuer.
    var issuer: String
    /// What else `iss` may be in an ID token.
    var otherIssuers: [String] = []
    var clientID: String
    /// A function, because Apple's is made anew each time.
    var clientSecret: @Sendable () throws -> Secret<String>
    /// Nil for what the provider's metadata says.
    var authentication: ClientAuthentication?
    var scope: String
    var parameters: [(name: String, value: String)] = []
    /// Our apps that get ID tokens by themselves; nil where there are none.
    var nativeAudiences: [String]?
    /// Claims that are asked for at the userinfo endpoint if the ID token lacks one of them.
    var wantedClaims: [String] = []
    var client: UpstreamClient
    var surroundings: Surroundings
    var metadata: @Sendable () async throws -> ProviderMetadata
    var keys: CachedDocument<ForeignKeySet>

    func authorizationURL(for request: AuthorizationRequest) async throws -> String {
        try await client.withOperationDeadline(issuer) {
            var fields = [
                (name: "response_type", value: "code"), (name: "client_id", value: clientID),
                (name: "redirect_uri", value: request.redirectURI), (name: "scope", value: scope),
                (name: "state", value: request.state.reveal()), (name: "nonce", value: request.nonce),
                (name: "code_challenge", value: request.codeChallenge),
                (name: "code_challenge_method", value: "S256"),
            ]
            // What is fixed in the settings adds to these and replaces none.
            let own = Set(fields.map(\.name))
            fields += parameters.filter { !own.contains($0.name) }
            return FormEncoding.append(fields, to: try await metadata().authorizationEndpoint)
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
                issuers: [issuer] + otherIssuers, audiences: nativeAudiences, nonce: .orItsHash(nonce))
            let (subject, claims) = try await verified(token, check)
            return PersonClaims(claims).identity(issuer: issuer, subject: subject)
        }
    }

    /// - Throws: ``IdentityProviderRefusal/tokenInvalid``; ``UpstreamProblem`` if there are no keys to check it with.
    private func verified(
        _ text: Secret<String>, _ check: IDTokenCheck
    ) async throws -> (subject: String, claims: JSON) {
        guard let token = ForeignToken(text.reveal()) else { throw refusing(.form) }
        var key = try await keys.value().key(for: token)
        // A key that was not there when we looked last: keys change without notice.
        if key == nil { key = try await keys.value(isDemanded: true).key(for: token) }
        guard let key else { throw refusing(.key) }
        guard key.signed(token) else { throw refusing(.signature) }
        do throws(IDTokenCheck.Problem) {
            return (try check.subject(of: token, at: surroundings.now()), token.claims)
        } catch {
            throw refusing(error)
        }
    }

    /// Writes down which check failed, and nothing of the token: the caller is told only that it is not valid.
    private func refusing(_ problem: IDTokenCheck.Problem) -> IdentityProviderRefusal {
        client.log.info(
            "ID token refused", metadata: ["issuer": "\(issuer)", "check": "\(problem.rawValue)"])
        return .tokenInvalid
    }
}

extension OpenIDFlow {
    /// Metadata from the issuer's discovery document. Source: OpenID Connect Discovery §4.
    static func discovery(
        issuer: String, hosts: [String], client: UpstreamClient, surroundings: Surroundings
    ) -> @Sendable () async throws -> ProviderMetadata {
        let path = issuer.utf8.last == UInt8(ascii: "/") ? String(issuer.dropLast()) : issuer
        let cache = CachedDocument(surroundings: surroundings) {
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

    /// The keys that the metadata name.
    static func keys(
        _ metadata: @escaping @Sendable () async throws -> ProviderMetadata, client: UpstreamClient,
        surroundings: Surroundings
    ) -> CachedDocument<ForeignKeySet> {
        CachedDocument(surroundings: surroundings) {
            let url = try await metadata().keySet
            let answer = try await client.send(UpstreamRequest(.get, url.text))
            guard answer.status == 200 else { throw UpstreamProblem.status(answer.status, origin: url.origin) }
            guard let keys = ForeignKeySet(answer.body) else {
                throw UpstreamProblem.unexpectedAnswer(origin: url.origin, reason: "the keys are no key set")
            }
            return keys
        }
    }
}
