import OstiaryCore
import OstiaryEngine
import Crypto
import Foundation
import Testing

@testable import OstiaryTokens

@Suite struct JSONWebKeyTests {
    @Test func `the kid is the thumbprint that RFC 9449 §6.1 publishes for its key`() throws {
        let x = try #require(Base64URL.decode("l8tFrhx-34tV3hRICRDY9zCkDlpBhF42UQUfWVAWBFs".utf8))
        let y = try #require(Base64URL.decode("9VE4jf_Ok_o64zbTTlcuNJajHmt6v9TDVrU0CdvGRDA".utf8))
        let key = JSONWebKey(try P256.Signing.PublicKey(rawRepresentation: x + y))
        #expect(key.kid == "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I")
    }

    @Test func `the published set holds public members alone`() async throws {
        let node = try await Node()
        try await node.keys.rotate(at: start)
        let document = try #require(try await node.tokens.publicKeySet(at: start))
        let set = try #require(try JSONSerialization.jsonObject(with: Data(document)) as? [String: [[String: String]]])
        #expect(set.keys.sorted() == ["keys"])
        let keys = try #require(set["keys"])
        #expect(keys.count == 2)
        for key in keys {
            #expect(key.keys.sorted() == ["alg", "crv", "kid", "kty", "use", "x", "y"])
            #expect(key["alg"] == "ES256" && key["crv"] == "P-256" && key["kty"] == "EC" && key["use"] == "sig")
        }
    }

    @Test func `a shared secret publishes nothing`() async throws {
        #expect(try await makeHMACTokens().publicKeySet(at: start) == nil)
    }
}
