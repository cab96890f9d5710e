import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

/// A session that goes on after its password was changed.
struct TestServerPasswordTests {
    private static let (password, other) = ("correct horse 7 battery", "another horse 7 battery")

    private func signedIn(_ contract: Contract, store: TestStore) async throws -> (TestServer, AuthClient) {
        let server = try TestServer(contract)
        try server.addAccount(email: "jo@example.com", password: Self.password)
        let client = try server.client(store: store)
        try await client.signIn(email: "jo@example.com", password: Self.password)
        return (server, client)
    }

    @Test func `PT-12: goes on with the tokens of the answer, and keeps them`() async throws {
        let store = TestStore()
        let (server, client) = try await signedIn(.clarity, store: store)
        let old = try #require(store.saved.currentSession?.refreshToken)
        try await client.changePassword(from: Self.password, to: Self.other)
        let new = try #require(store.saved.currentSession?.refreshToken)
        #expect(new != old)
        await #expect(throws: AuthError.refreshTokenRevoked) {
            try await server.remote().perform(Refresh(refreshToken: old))
        }
        server.clock.advance(by: .seconds(3600))
        try await client.refreshUser()
        #expect(client.isAuthenticated && server.count(of: .refresh) == 2)
    }

    @Test func `PT-12: refreshes at the same time do not present the withdrawn token`() async throws {
        for _ in 0..<20 {
            let (server, client) = try await signedIn(.clarity, store: TestStore())
            server.clock.advance(by: .seconds(3595))
            async let change: Void = client.changePassword(from: Self.password, to: Self.other)
            async let first = client.accessToken()
            async let second = client.refreshUser()
            _ = try await (change, first, second)
            server.clock.advance(by: .seconds(3600))
            try await client.refreshUser()
            #expect(client.isAuthenticated)
        }
    }

    @Test func `PT-12: a wrong password leaves the tokens as they are`() async throws {
        let store = TestStore()
        let (_, client) = try await signedIn(.vici, store: store)
        let before = store.saved
        await #expect(throws: ClientError.refused(.wrongCredentials)) {
            try await client.changePassword(from: Self.other, to: Self.other)
        }
        #expect(store.saved == before && client.isAuthenticated)
    }

    @Test func `PT-12: an account without a password is deleted soon after a sign-in alone`() async throws {
        let server = try TestServer(.timetracker)
        let client = try server.client()
        try await client.signInWithBrowser(using: ScriptedBrowser(server))
        server.clock.advance(by: .seconds(301))
        let stepUp = StepUpRequirement(maximumAgeSeconds: DeleteAccount.maximumAuthenticationAgeSeconds)
        await #expect(throws: ClientError.refused(.stepUpRequired(stepUp))) { try await client.deleteAccount() }
        #expect(client.isAuthenticated)
        try await client.signInWithBrowser(using: ScriptedBrowser(server))
        try await client.deleteAccount()
        #expect(server.users.isEmpty)
    }
}
