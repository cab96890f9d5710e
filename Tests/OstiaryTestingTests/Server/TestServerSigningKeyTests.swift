import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

/// A client that signs, against a server that issues a session's key once.
struct TestServerSigningKeyTests {
    private static let password = "correct horse 7 battery"
    private static let lost = Reaction { call, forward throws(TransportError) in
        _ = try await forward(call)
        throw .connectionLost
    }

    private func server(_ contract: Contract) throws -> TestServer {
        var rules = TestServerRules()
        rules.issuesSigningKeys = true
        let server = try TestServer(contract, rules: rules)
        try server.addAccount(email: "jo@example.com", username: "jo", password: Self.password)
        server.route("GET", "/x") { _ in .json("{}") }
        return server
    }

    private func client(
        of server: TestServer, store: TestStore = TestStore(), over network: ScriptedTransport? = nil
    ) throws -> AuthClient {
        try server.client(store: store, over: network) { $0.signsRequests = true }
    }

    private func get(_ client: AuthClient) async throws(ClientError) {
        let _: EmptyBody = try await client.get("/x")
    }

    @Test func `PT-08: asks for the key once, and keeps it with the session`() async throws {
        let server = try server(.vici)
        let store = TestStore()
        let client = try client(of: server, store: store)
        try await client.signIn(email: "jo@example.com", password: Self.password)
        for _ in 0..<3 { try await get(client) }
        // The next run, and a sibling process.
        try await get(self.client(of: server, store: store))
        #expect(server.count(of: .issueSigningKey) == 1)
    }

    @Test func `PT-08: gets the key again with the refresh token where the answer was lost`() async throws {
        let server = try server(.vici)
        let network = ScriptedTransport(server)
        let client = try client(of: server, over: network)
        try await client.signIn(email: "jo@example.com", password: Self.password)
        network.on(.operation(.issueSigningKey, of: .vici), Self.lost, times: 1)
        _ = try? await get(client)
        try await get(client)
        #expect(server.count(of: .issueSigningKey) == 2)
        #expect(server.count(of: .refresh) == 0)
    }

    @Test func `PT-08: refreshes first where its refresh token is not the current one`() async throws {
        let server = try server(.vici)
        let (store, other) = (TestStore(), TestStore())
        let client = try client(of: server, store: store)
        try await client.signIn(email: "jo@example.com", password: Self.password)
        try await get(client)
        // Without the key, and with a refresh token that another copy of the session has moved on from.
        var saved = store.saved
        for index in saved.sessions.indices { saved.sessions[index].signingKey = nil }
        other.saved = saved
        let token = try #require(saved.currentSession?.refreshToken)
        _ = try await server.remote().perform(Refresh(refreshToken: token))
        try await get(self.client(of: server, store: other))
        #expect(server.count(of: .refresh) == 2)
        #expect(other.saved.currentSession?.signingKey == store.saved.currentSession?.signingKey)
    }

    @Test func `PT-08: signs in anew where the key is lost and there are no refresh tokens`() async throws {
        let server = try server(.viewvault)
        let network = ScriptedTransport(server)
        let client = try client(of: server, over: network)
        try await client.signIn(username: "jo", password: Self.password)
        network.on(.operation(.issueSigningKey, of: .viewvault), Self.lost, times: 1)
        _ = try? await get(client)
        await #expect(throws: ClientError.sessionEnded(.signingKeyAlreadyIssued)) { try await get(client) }
        #expect(client.state == .signedOut(.ended(.signingKeyAlreadyIssued)))
        try await client.signIn(username: "jo", password: Self.password)
        try await get(client)
    }
}
