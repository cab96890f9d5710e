import Crypto
import Foundation
import JWTKit
import OstiaryCore
import OstiaryEngine
import Testing

@testable import OstiaryTokens

@Suite struct IDTokenTests {
    @Test func `an ID token says who signed in, where and when, and its signature holds under the published key`()
        async throws
    {
        let keys = try Self.keys()
        let token = try await IDTokens(issuer: issuer, keys: keys).issue(Self.grant()).reveal()
        let parts = segments(token)
        let claims = try json(parts[1])
        #expect(claims["iss"] as? String == issuer)
        #expect(claims["sub"] as? String == "ada")
        #expect(claims["aud"] as? String == "client")
        #expect(claims["nonce"] as? String == "n-1")
        #expect(claims["auth_time"] as? Int == 1_799_999_990)
        #expect(claims["iat"] as? Int == 1_800_000_000)
        #expect(claims["exp"] as? Int == 1_800_003_600)
        #expect(claims["email_verified"] as? Bool == true)
        #expect(claims["name"] == nil)

        let header = try json(parts[0])
        #expect(header["alg"] as? String == "RS256" && header["typ"] as? String == "JWT")
        let published = try #require(try await Self.published(keys).first)
        #expect(published["kid"] == header["kid"] as? String)
        let peer = JWTKeyCollection()
        try await peer.add(jwksJSON: String(decoding: try await keys.publicKeySet(at: start), as: UTF8.self))
        #expect(try await peer.verify(token, as: Subject.self).sub == "ada")
        let forged = "\(parts[0]).\(Forge.segment(#"{"sub":"eve"}"#)).\(parts[2])"
        await #expect(throws: (any Error).self) { try await peer.verify(forged, as: Subject.self) }
    }

    @Test func `at_hash is the example of OpenID Connect Core A·3`() throws {
        // The access token and at_hash of the specification's appendix A.3.
        var grant = try Self.grant()
        grant.accessToken = Secret("jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y")
        #expect(try IDTokenClaims(grant, issuer: issuer).atHash == "77QmUPtjPfzWtF2AnpK9RQ")
    }

    @Test func `the published RSA key holds public members alone and is named by its thumbprint`() async throws {
        let published = try await Self.published(try Self.keys())
        let key = try #require(published.first)
        #expect(published.count == 1)
        #expect(key.keys.sorted() == ["alg", "e", "kid", "kty", "n", "use"])
        #expect(key["alg"] == "RS256" && key["kty"] == "RSA" && key["use"] == "sig" && key["e"] == "AQAB")
        #expect(Self.bytes(key["n"]).count == 256)
        let members = #"{"e":"\#(key["e"] ?? "")","kty":"RSA","n":"\#(key["n"] ?? "")"}"#
        #expect(key["kid"] == Base64URL.encode(Array(SHA256.hash(data: Data(members.utf8)))))
    }

    @Test func `no RSA key is made before one is needed, and nodes agree on it`() async throws {
        let store = SigningKeysInMemory()
        let app = try AppName("idp-id-tokens")
        let (one, other) = (try Self.keys(store), try Self.keys(store))
        #expect(try await store.signingKeys(of: app, at: start).isEmpty)
        async let first = one.current(at: start)
        async let second = other.current(at: start)
        let kids = try await [first.stored.kid, second.stored.kid]
        #expect(kids[0] == kids[1])
        let stored = try await store.signingKeys(of: app, at: start)
        #expect(stored.map(\.algorithm) == ["RS256"])
    }

    @Test func `a rotation publishes both RSA keys until what the old one signed is over`() async throws {
        let keys = try Self.keys()
        let tokens = IDTokens(issuer: issuer, keys: keys)
        let old = try await tokens.issue(Self.grant())
        try await keys.rotate(at: start)
        #expect(try await Self.published(keys).count == 2)
        #expect(try await tokens.read(hint: old, at: start)?.client == "client")
        let later = start.addingTimeInterval(3600 + 60 + 60)
        #expect(try await keys.list(at: later).count == 1)
        #expect(try await tokens.read(hint: old, at: later) == nil)
    }

    @Test func `keys of both algorithms are published as one set`() async throws {
        let access = try await Node().keys
        let document = try await SigningKeys.publicKeySet(of: [try Self.keys(), access], at: start)
        let set = try JSONDecoder().decode([String: [[String: String]]].self, from: Data(document))
        #expect(set["keys"]?.compactMap { $0["alg"] } == ["RS256", "ES256"])
    }

    @Test func `a hint is read even when expired, but none of another issuer, altered or signed by another key`()
        async throws
    {
        let keys = try Self.keys()
        let tokens = IDTokens(issuer: issuer, keys: keys)
        let token = try await tokens.issue(Self.grant())
        let hint = try #require(try await tokens.read(hint: token, at: start.addingTimeInterval(86_400 * 30)))
        #expect(hint.subject == "ada" && hint.client == "client")
        #expect(try await IDTokens(issuer: issuer + "/", keys: keys).read(hint: token, at: start) == nil)
        #expect(try await IDTokens(issuer: issuer, keys: Self.keys()).read(hint: token, at: start) == nil)
        var parts = segments(token.reveal())
        parts[1] = Forge.segment(#"{"iss":"\#(issuer)","sub":"eve"}"#)
        #expect(try await tokens.read(hint: Secret(parts.joined(separator: ".")), at: start) == nil)
    }

    @Test func `an ID token is no access token, nor the other way round`() async throws {
        let node = try await Node()
        let tokens = IDTokens(issuer: issuer, keys: try Self.keys())
        let access = try await node.tokens.issue(makeGrant())
        #expect(try await tokens.read(hint: access, at: start) == nil)
        #expect(try await node.tokens.read(tokens.issue(Self.grant()), at: start) == nil)
    }

    private struct Subject: JWTPayload {
        var sub: String
        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }

    private static func keys(_ store: SigningKeysInMemory = SigningKeysInMemory()) throws -> SigningKeys {
        SigningKeys(
            app: try AppName("idp-id-tokens"), algorithm: .rs256, store: store, keyRing: makeKeyRing(),
            tokenSeconds: 3600)
    }

    private static func grant() throws -> IDTokenGrant {
        IDTokenGrant(
            subject: "ada", client: "client", session: try makeSession(), issuedAt: start,
            expiresAt: start.addingTimeInterval(3600), authenticatedAt: start.addingTimeInterval(-10), nonce: "n-1",
            accessToken: Secret("an access token"),
            labels: PersonLabels(email: "ada@example.com", isEmailVerified: true))
    }

    private static func published(_ keys: SigningKeys) async throws -> [[String: String]] {
        let document = try await keys.publicKeySet(at: start)
        return try JSONDecoder().decode([String: [[String: String]]].self, from: Data(document))["keys"] ?? []
    }

    private static func bytes(_ text: String?) -> [UInt8] { Base64URL.decode(Array((text ?? "").utf8)) ?? [] }
}
