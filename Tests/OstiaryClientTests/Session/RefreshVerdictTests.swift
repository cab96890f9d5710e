import OstiaryContracts
import OstiaryCore
import Testing

@testable import OstiaryClient

struct RefreshVerdictTests {
    private func verdict(_ status: Int, _ body: String, _ headers: [String: String] = [:]) throws -> RefreshVerdict {
        RefreshVerdict(WireResponse(status: status, headers: headers, body: Array(body.utf8)), of: try Codec(.clarity))
    }

    @Test(arguments: [
        AuthError.refreshTokenInvalid, .refreshTokenReused, .refreshTokenExpired, .refreshTokenRevoked, .sessionRevoked,
        .accountDisabled,
    ])
    func `ends the session on a definite refusal`(_ refusal: AuthError) throws {
        #expect(RefreshVerdict(try Codec(.clarity).write(refusal), of: try Codec(.clarity)) == .over(refusal))
    }

    @Test(arguments: ["", "{}", "{\"detail\":\"Unauthorized\"}", "Unauthorized", "{\"detail\":\"x\",\"code\":\"own\"}"])
    func `ends the session on an original backend's bare 401`(_ body: String) throws {
        #expect(try verdict(401, body) == .over(.refreshTokenInvalid))
    }

    @Test(arguments: [
        (401, "<html>Sign in to the hotel</html>"), (400, "{\"detail\":\"no\"}"), (403, "{}"), (404, "<html>"),
        (407, ""), (409, ""), (422, "{\"detail\":[]}"), (200, "<html>"), (200, ""), (200, "{\"access_token\":"),
        (302, ""), (400, "{\"detail\":\"x\",\"code\":\"session_revoked\"}"),
        (401, "{\"detail\":\"x\",\"code\":\"wrong_credentials\"}"),
    ])
    func `keeps the session on any other refusal`(_ status: Int, _ body: String) throws {
        let verdict = try verdict(status, body)
        guard case .keep(.refused) = verdict else {
            Issue.record("\(verdict)")
            return
        }
    }

    @Test func `keeps the session on a page in a 401`() throws {
        let verdict = try verdict(401, "Welcome", ["content-type": "text/html; charset=utf-8"])
        #expect(
            verdict == .keep(.refused(.rejected(status: 401, message: "The server's answer could not be understood."))))
    }

    @Test func `keeps the session when told to wait`() throws {
        let expected = RefreshVerdict.keep(.refused(.tooManyAttempts(retryAfterSeconds: 30)))
        #expect(try verdict(429, "{\"detail\":\"slow down\"}", ["retry-after": "30"]) == expected)
    }

    @Test(arguments: [408, 425, 500, 502, 503, 504, 599])
    func `tries again later when the server fails`(_ status: Int) throws {
        #expect(try verdict(status, "<html>Bad Gateway</html>") == .retryLater(.unavailable(incident: "")))
    }

    @Test func `tries again at once when the answer was lost`() {
        #expect(RefreshVerdict(.connectionLost) == .retryAtOnce(.connectionLost))
    }

    @Test(arguments: [TransportError.offline, .timedOut, .untrusted, .tooLarge(maximumBytes: 1), .notHTTP, .cancelled])
    func `keeps the session when there is no answer`(_ error: TransportError) {
        #expect(RefreshVerdict(error) == .keep(.unreachable(error)))
    }
}
