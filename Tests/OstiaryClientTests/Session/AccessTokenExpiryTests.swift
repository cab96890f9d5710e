import Foundation
import OstiaryClient
import OstiaryCore
import Testing

struct AccessTokenExpiryTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func expiry(_ token: String, expiresIn: Duration? = nil) -> Date? {
        AccessTokenExpiry(
            Tokens(accessToken: Secret(token), expiresIn: expiresIn, refreshToken: nil), receivedAt: now)?.date
    }

    private func token(_ claims: String) -> String {
        let payload = Data(claims.utf8).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        return "eyJhbGciOiJIUzI1NiJ9.\(payload).c2ln"
    }

    @Test func `believes the answer before the token`() {
        #expect(expiry(token("{\"exp\":1800000060}"), expiresIn: .seconds(3600)) == now + 3600)
    }

    // The claims of RFC 7515 Appendix A.1: {"iss":"joe",\r\n "exp":1300819380, …}.
    @Test func `reads RFC 7515 §A.1`() {
        let token =
            "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9"
            + ".eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
            + ".dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        let tokens = Tokens(accessToken: Secret(token), expiresIn: nil, refreshToken: nil)
        let received = Date(timeIntervalSince1970: 1_300_819_000)
        #expect(AccessTokenExpiry(tokens, receivedAt: received)?.date == Date(timeIntervalSince1970: 1_300_819_380))
    }

    @Test(arguments: [-86_400, -3600, 0, 3600, 86_400])
    func `is not led astray by a server whose clock is elsewhere`(_ skew: Int) {
        let issued = 1_800_000_000 + skew
        #expect(expiry(token("{\"sub\":\"ä?>\",\"iat\":\(issued),\"exp\":\(issued + 3600)}")) == now + 3600)
    }

    @Test(arguments: [
        "{\"exp\":1e300}", "{\"exp\":9223372036854775807,\"iat\":-9223372036854775807}", "{\"exp\":99999999999}",
    ])
    func `believes in no more than ten years`(_ claims: String) {
        #expect(expiry(token(claims)) == now + 315_360_000)
    }

    @Test func `takes a token that has expired for one that expires now`() {
        #expect(expiry(token("{\"exp\":1}")) == now)
        #expect(expiry("opaque", expiresIn: .seconds(-5)) == now)
    }

    @Test(arguments: ["", "opaque", "a.b", "a.b.c", "a.%%%%.c", "..", "a.b.c.d.e"])
    func `knows nothing of an opaque token`(_ token: String) {
        #expect(expiry(token) == nil)
    }

    @Test(arguments: [
        // No signature, no header, trailing bits, padding.
        "e30.eyJleHAiOjE4MDAwMDAwNjB9.", ".eyJleHAiOjE4MDAwMDAwNjB9.c2ln", "e30.eyJleHAiOjE4MDAwMDAwNjB9.c2lh.x",
        "e30.eyJleHAiOjE4MDAwMDAwNjF9Cf.c2ln", "e30.eyJleHAiOjE4MDAwMDAwNjB9Cg==.c2ln",
    ])
    func `knows nothing of a token that is not in compact serialization`(_ token: String) {
        #expect(expiry(token) == nil)
    }

    @Test(arguments: ["{}", "[]", "{\"exp\":\"1800000060\"}", "{\"exp\":null}", "{\"exp\":1,\"exp\":2}"])
    func `knows nothing without a time of expiry`(_ claims: String) {
        #expect(expiry(token(claims)) == nil)
    }
}
