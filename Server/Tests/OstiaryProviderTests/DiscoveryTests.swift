import OstiaryContracts
import Testing

@testable import OstiaryProvider

@Suite struct DiscoveryTests {
    /// Source: OpenID Connect Discovery §3 (REQUIRED), RFC 9207 §3, RFC 8414 §2.
    @Test func `the document says what it must, with the issuer to the byte`() async throws {
        let document = try await World().provider.discovery
        #expect(document["issuer"] == .string(World.issuer))
        #expect(document["authorization_endpoint"] == .string("\(World.issuer)/authorize"))
        #expect(document["token_endpoint"] == .string("\(World.issuer)/oauth/token"))
        #expect(document["userinfo_endpoint"] == .string("\(World.issuer)/userinfo"))
        #expect(document["jwks_uri"] == .string("\(World.issuer)/.well-known/jwks.json"))
        #expect(document["response_types_supported"] == ["code"])
        #expect(document["subject_types_supported"] == ["public"])
        #expect(document["id_token_signing_alg_values_supported"] == ["RS256"])
        #expect(document["code_challenge_methods_supported"] == ["S256"])
        #expect(document["authorization_response_iss_parameter_supported"] == true)
        #expect(document["request_uri_parameter_supported"] == false)
        #expect(try JSON.read(document.bytes) == document)
    }

    @Test func `keys of both algorithms are published, and no private member`() async throws {
        let world = try await World()
        let set = try JSON.read(try await world.provider.publicKeys())
        guard case .array(let keys)? = set["keys"] else {
            Issue.record("no keys")
            return
        }
        #expect(keys.map { text($0["alg"]) } == ["RS256", "ES256"])
        for key in keys {
            for name in ["d", "p", "q", "dp", "dq", "qi", "k"] { #expect(key[name] == nil) }
        }
    }
}
