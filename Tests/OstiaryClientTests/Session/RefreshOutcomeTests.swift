import OstiaryContracts
import OstiaryCore
import Testing

@testable import OstiaryClient

struct RefreshOutcomeTests {
    private func outcome(_ status: Int, _ body: String, _ headers: [String: String] = [:]) throws -> RefreshOutcome {
        RefreshOutcome(WireResponse(status: status, headers: headers, body: Array(body.utf8)), of: try Codec(.clarity))
    }

    @Test(arguments: [
        AuthError.refreshTokenInvalid, .refreshTokenReused, .refreshTokenExpired, .refreshTokenRevoked, .sessionRevoked,
        .accountDisabled,
    ])
    func `ends the session on a definite refusal`(_ refusal: AuthError) throws {
        #expect(RefreshOutcome(try Codec(.clarity).write(refusal), of: try Codec(.clarity)) == .over(refusal))
    }

    @Test(arguments: [AuthError.attestationRefused, .appAssertionRequired, .appAssertionRefused])
    func `keeps the session when the app is not verified`(_ refusal: AuthError) throws {
        #expect(
            RefreshOutcome(try Codec(.clarity).write(refusal), of: try Codec(.clarity)) == .keep(.refused(refusal)))
    }

    @Test(arguments: ["", "{}", "{\"detail\":\"Unauthorized\"}", "Unauthorized", "{\"detail\":\"x\",\"code\":\"own\"}"])
    func `ends the session on an original backend's bare 401`(_ body: String) throws {
        #expect(try outcome(401, body) == .over(.refreshTokenInvalid))
    }

    @Test(arguments: [
        (400, "{\"detail\":\"no\"}"), (403, "{}"), (404, "<html>"), (407, ""), (409, ""), (422, "{\"detail\":[]}"),
        (200, "<html>"), (200, ""), (200, "{\"access_token\":"), (302, ""),
        (401, "{\"detail\":\"x\",\"code\":\"wrong_credentials\"}"),
    ])
    func `keeps the session on any other refusal`(_ status: Int, _ body: String) throws {
        let outcome = try outcome(status, body)
        guard case .keep(.refused) = outcome else {
            Issue.record("\(outcome)")
            return
        }
    }

    @Test(arguments: [
        (401, "<html>Sign in to the hotel</html>", "text/html"), (401, "Welcome", "text/html; charset=utf-8"),
        (400, "{\"detail\":\"x\",\"code\":\"session_revoked\"}", "application/json"),
    ])
    func `keeps the session on an end that no backend says so`(_ status: Int, _ body: String, _ type: String) throws {
        #expect(try outcome(status, body, ["content-type": type]) == .keep(.invalidResponse))
    }

    @Test func `keeps the session when told to wait`() throws {
        #expect(try outcome(429, "{\"detail\":\"slow down\"}", ["retry-after": "30"]) == .wait(seconds: 30))
    }

    @Test(arguments: [408, 425, 500, 502, 503, 504, 599])
    func `tries again later when the server fails`(_ status: Int) throws {
        #expect(try outcome(status, "<html>Bad Gateway</html>") == .retryLater)
    }

    @Test func `tries again at once when the answer was lost`() {
        #expect(RefreshOutcome(.connectionLost) == .retryAtOnce(.connectionLost))
    }

    @Test(arguments: [TransportError.offline, .timedOut, .untrusted, .tooLarge(maximumBytes: 1), .notHTTP, .cancelled])
    func `keeps the session when there is no answer`(_ error: TransportError) {
        #expect(RefreshOutcome(error) == .keep(ClientError(error)))
    }
}
