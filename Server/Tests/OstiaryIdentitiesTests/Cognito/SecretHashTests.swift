import OstiaryCore
import Testing

@testable import OstiaryIdentities

struct SecretHashTests {
    /// RFC 4231 §4.3, its data cut in two, its digest in base64.
    @Test func `is HMAC-SHA256 of username and client id in base64`() {
        let hash = SecretHash.make(
            username: "what do ya want ", clientID: "for nothing?", clientSecret: Secret("Jefe"))
        #expect(hash.reveal() == "W9zBRr9gdU5qBCQmCJV1x1oAPwidJzmDnexYuWTsOEM=")
    }

    /// Computed with `openssl dgst -sha256 -hmac not-a-real-secret -binary | base64`.
    @Test func `is what OpenSSL makes of it`() {
        let hash = SecretHash.make(
            username: "ada@example.org", clientID: "2f6kq1v0example0client7", clientSecret: Secret("not-a-real-secret"))
        #expect(hash.reveal() == "9LOnG6Pl5lheyvEiw8N3sa8fsyrYeyq/KAfyF3S0oqg=")
    }
}
