import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClient

/// A registration that the owner of the address confirms, where a server registers in its `safe` mode.
@Suite struct ConfirmRegistrationTests {
    private static let password = "correct horse 7 battery"

    private func server(_ contract: Contract = .vici) throws -> TestServer {
        var rules = TestServerRules()
        rules.registersSafely = true
        return try TestServer(contract, rules: rules)
    }

    /// Registers, and returns the token out of the mail.
    private func register(_ auth: AuthClient, at server: TestServer) async throws -> String {
        await #expect(throws: ClientError.refused(.confirmationRequired)) {
            try await auth.register(email: "jo@example.com", password: Self.password)
        }
        return try #require(server.registrationToken(for: "jo@example.com"))
    }

    @Test(arguments: [Contract.vici, .clarity])
    func `the link out of the mail and the password finish a registration, and sign in`(
        contract: Contract
    ) async throws {
        let server = try server(contract)
        let auth = try server.client()
        let token = try await register(auth, at: server)
        #expect(auth.currentSession == nil)
        let session = try await auth.confirmRegistration(token: token, password: Self.password)
        #expect(session.label == "jo@example.com" && auth.currentSession?.id == session.id)
        #expect(try await auth.refreshUser().email?.text == "jo@example.com")
    }

    @Test func `another password finishes nobody's registration, and the right one still does`() async throws {
        let server = try server()
        let auth = try server.client()
        let token = try await register(auth, at: server)
        await #expect(throws: ClientError.refused(.wrongCredentials)) {
            try await auth.confirmRegistration(token: token, password: "another horse 7 battery")
        }
        #expect(!auth.isAuthenticated)
        try await auth.confirmRegistration(token: token, password: Self.password)
        #expect(auth.isAuthenticated)
    }

    @Test func `a link that is over is refused, and one that was used finds the account it made`() async throws {
        let server = try server()
        let auth = try server.client()
        let token = try await register(auth, at: server)
        try await auth.confirmRegistration(token: token, password: Self.password)
        await #expect(throws: ClientError.refused(.identifierTaken)) {
            try await auth.confirmRegistration(token: token, password: Self.password)
        }
        await #expect(throws: ClientError.refused(.registrationTokenRefused)) {
            try await auth.confirmRegistration(token: "x", password: Self.password)
        }
    }

    @Test func `counts as the registration that it is`() async throws {
        let server = try server()
        let auth = try server.client()
        let events = auth.events
        let token = try await register(auth, at: server)
        try await auth.confirmRegistration(token: token, password: Self.password)
        var said: [ClientEvent] = []
        for await event in events {
            if case .registration = event { said.append(event) }
            if said.count == 2 { break }
        }
        #expect(said == [.registration(failure: "confirmation_required"), .registration(failure: nil)])
    }

    @Test func `is not offered where a code confirms the number already`() async throws {
        let auth = try server(.barqnet).client()
        await #expect(throws: ClientError.unsupported(.confirmRegistration)) {
            try await auth.confirmRegistration(token: "t", password: Self.password)
        }
    }
}
