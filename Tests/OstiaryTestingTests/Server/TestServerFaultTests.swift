import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

/// What goes wrong in a test server when a test wants it to.
struct TestServerFaultTests {
    private static let call = Refresh(refreshToken: Secret("nobody's"))

    @Test func `is away until it comes back, and does nothing meanwhile`() async throws {
        let server = try TestServer(.vici)
        server.goDown()
        await #expect(throws: AuthError.unavailable(incident: "test")) { try await server.remote().perform(Self.call) }
        #expect(server.performed.isEmpty)
        server.comeBack()
        await #expect(throws: AuthError.refreshTokenInvalid) { try await server.remote().perform(Self.call) }
    }

    @Test func `refuses what it is told to, as often as it is told to`() async throws {
        let server = try TestServer(.vici)
        server.refuse(.refresh(of: .vici), with: .tooManyAttempts(retryAfterSeconds: 30), times: 1)
        let remote = try server.remote()
        await #expect(throws: AuthError.wrongCredentials) {
            try await remote.perform(
                SignIn(identifier: .email(EmailAddress("jo@example.com")), password: Secret("x")))
        }
        await #expect(throws: AuthError.tooManyAttempts(retryAfterSeconds: 30)) { try await remote.perform(Self.call) }
        await #expect(throws: AuthError.refreshTokenInvalid) { try await remote.perform(Self.call) }
    }

    @Test(arguments: Contract.presets.map(\.name))
    func `answers without a code as a backend that is not ours`(_ name: String) async throws {
        let contract = try #require(Contract.preset(name))
        var rules = TestServerRules()
        rules.answersAsOriginal = true
        let server = try TestServer(contract, rules: rules)
        let answer = try await server.send(
            WireRequest(method: "GET", path: contract.prefix + "/me"), to: server.baseURL, within: .seconds(1))
        #expect(answer.status == 401)
        let body = try JSON.read(answer.body)
        #expect(body["code"] == nil)
        #expect(body[contract.failureKey] != nil)
        guard contract.rules.refresh != nil else { return }
        await #expect(throws: AuthError.refreshTokenInvalid) { try await server.remote().perform(Self.call) }
    }

    @Test func `leaves an answer that is no refusal as it is`() async throws {
        var rules = TestServerRules()
        rules.answersAsOriginal = true
        let server = try TestServer(.vici, rules: rules)
        try server.addAccount(email: "jo@example.com", password: "correct horse 7 battery")
        let call = SignIn(
            identifier: .email(try EmailAddress("jo@example.com")), password: Secret("correct horse 7 battery"))
        #expect(try await server.remote().perform(call).user?.email?.text == "jo@example.com")
    }
}
