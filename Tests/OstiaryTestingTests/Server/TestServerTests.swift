import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

/// The parts of a test server that no client sees. Clients see the engine, which has tests of its own.
struct TestServerTests {
    private static let password = "correct horse 7 battery"

    private func vici(rules: TestServerRules = .standard, seed: UInt64 = 1) throws -> TestServer {
        let server = try TestServer(.vici, rules: rules, seed: seed)
        try server.addAccount(email: "jo@example.com", password: Self.password)
        return server
    }

    private func signIn(_ server: TestServer) async throws -> SignedIn {
        try await server.remote().perform(
            SignIn(identifier: .email(EmailAddress("jo@example.com")), password: Secret(Self.password)))
    }

    @Test func `brings its tokens and codes back with the seed, and never otherwise`() async throws {
        let token = try await signIn(vici()).tokens.accessToken
        #expect(try await signIn(vici()).tokens.accessToken == token)
        #expect(try await signIn(vici(seed: 2)).tokens.accessToken != token)
        #expect(try TestServer(.vici).seed != TestServer(.vici).seed)
    }

    @Test func `takes no token of another server`() async throws {
        let jo = try await signIn(vici(seed: 2))
        await #expect(throws: AuthError.invalidAccessToken) {
            try await vici().remote().perform(CurrentUser(accessToken: jo.tokens.accessToken))
        }
    }

    @Test func `is nobody at another address`() async throws {
        let server = try vici()
        await #expect(throws: TransportError.offline) {
            try await server.send(
                WireRequest(method: "GET", path: "/api/auth/me"), to: BaseURL("https://other.example.com"),
                within: .seconds(1))
        }
    }

    @Test func `tells clients without a lifetime when an access token ends`() async throws {
        let server = try vici(rules: .accessTokens(lasting: 90))
        let tokens = try await signIn(server).tokens
        #expect(tokens.expiresIn == nil)
        let expiry = try #require(AccessTokenExpiry(tokens, receivedAt: server.clock.now))
        #expect(expiry.date == server.clock.now.addingTimeInterval(90))
    }

    @Test func `counts what it was asked to do, what was refused too`() async throws {
        let server = try vici()
        let jo = try await signIn(server)
        _ = try? await server.remote().perform(Refresh(refreshToken: Secret("nobody's")))
        try await server.performed(1, .refresh)
        _ = try await server.remote().perform(CurrentUser(accessToken: jo.tokens.accessToken))
        #expect(server.performed == [.signIn, .refresh, .currentUser])
        #expect(server.count(of: .refresh) == 1)
    }

    @Test func `does the operations without the wire as well`() async throws {
        let server = try vici()
        let call = SignIn(identifier: .email(try EmailAddress("jo@example.com")), password: Secret(Self.password))
        let jo = try await server.service.perform(call)
        #expect(try await server.remote().perform(CurrentUser(accessToken: jo.tokens.accessToken)).email != nil)
    }

    // MARK: The inbox

    @Test func `keeps what it sent where a test can read it`() async throws {
        let server = try TestServer(.barqnet)
        let number = try PhoneNumber("+1 555-555-0100")
        #expect(server.code(for: "+15555550100") == nil)
        _ = try await server.remote().perform(RequestCode(phoneNumber: number))
        let code = try OneTimeCode(try #require(server.code(for: "+1 (555) 555-0100")))
        #expect(server.messages.map(\.content) == [.code(code)])
        #expect(server.code(for: "+15555550101") == nil)
        #expect(server.code(for: "no number") == nil)
    }

    @Test func `sends a reset token to whoever has an account, and to nobody else`() async throws {
        let server = try vici()
        for email in ["jo@example.com", "stranger@example.com"] {
            _ = try await server.remote().perform(RequestPasswordReset(email: EmailAddress(email)))
        }
        #expect(server.resetToken(for: "JO@example.com") != nil)
        #expect(server.resetToken(for: "stranger@example.com") == nil)
        #expect(server.messages.count == 1)
    }

    @Test(arguments: [0, 60]) func `sends the next code after the cooldown, at once without one`(seconds: Int)
        async throws
    {
        var rules = TestServerRules()
        rules.codeCooldownSeconds = seconds
        let server = try TestServer(.barqnet, rules: rules)
        let call = RequestCode(phoneNumber: try PhoneNumber("+15555550100"))
        _ = try await server.remote().perform(call)
        if seconds > 0 {
            await #expect(throws: AuthError.tooManyAttempts(retryAfterSeconds: seconds)) {
                try await server.remote().perform(call)
            }
            server.clock.advance(by: .seconds(seconds))
        }
        _ = try await server.remote().perform(call)
        #expect(server.messages.count == 2)
    }

    @Test func `takes any number of tries and seconds`() async throws {
        var rules = TestServerRules()
        (rules.codeTries, rules.codeSeconds) = (.max, 1_000_000)
        let server = try TestServer(.barqnet, rules: rules)
        let number = try PhoneNumber("+15555550100")
        _ = try await server.remote().perform(RequestCode(phoneNumber: number))
        let code = try OneTimeCode(try #require(server.code(for: number.e164)))
        _ = try await server.remote().perform(
            Register(phoneNumber: number, password: Secret(Self.password), code: code))
    }

    // MARK: The administrator

    @Test func `refuses to make an account twice, or of what is no identifier`() throws {
        let server = try vici()
        #expect(throws: AuthError.identifierTaken) {
            try server.addAccount(email: "JO@example.com", password: "another password")
        }
        #expect(throws: FieldProblem.malformed) { try server.addAccount(email: "no address", password: "x") }
        #expect(server.users.count == 1)
    }

    @Test func `finds an account by each of its names`() throws {
        let server = try TestServer(.viewvault)
        let user = try server.addAccount(
            email: "jo@example.com", username: "jo", phoneNumber: "+15555550100", password: "x")
        for who in ["JO", "jo@example.com", "+1 555 555 0100", "1"] { #expect(server.user(who) == user) }
        #expect(server.user("nobody") == nil)
    }

    @Test func `counts the sessions that are alive`() async throws {
        let server = try vici()
        _ = try await signIn(server)
        _ = try await signIn(server)
        #expect(server.sessions(of: "jo@example.com") == 2)
        server.clock.advance(by: .seconds(604_800))
        #expect(server.sessions(of: "jo@example.com") == 0)
        _ = try await signIn(server)
        server.endSessions(of: "jo@example.com")
        #expect(server.sessions(of: "jo@example.com") == 0)
    }

    @Test func `ends sessions with the password, and with the account`() async throws {
        let server = try vici()
        let jo = try await signIn(server)
        server.setPassword("something else 9", of: "jo@example.com")
        await #expect(throws: AuthError.sessionRevoked) {
            try await server.remote().perform(CurrentUser(accessToken: jo.tokens.accessToken))
        }
        await #expect(throws: AuthError.wrongCredentials) { try await signIn(server) }
        server.delete("jo@example.com")
        #expect(server.users.isEmpty)
        await #expect(throws: AuthError.refreshTokenInvalid) {
            try await server.remote().perform(Refresh(refreshToken: #require(jo.tokens.refreshToken)))
        }
    }
}
