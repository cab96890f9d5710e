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

    // MARK: Sibling processes without a refresh lease

    /// An app that changes the password, and its widget, with one store that has no refresh lease.
    private struct Siblings {
        let server: TestServer
        let store = TestStore()
        let app: AuthClient
        let widget: AuthClient
        /// Holds the app's password change.
        let point = HoldingPoint()
        private let widgetNetwork: ScriptedTransport

        init(holding hold: (Reaction, HoldingPoint) -> Reaction) async throws {
            server = try TestServer(.clarity)
            try server.addAccount(email: "jo@example.com", password: TestServerPasswordTests.password)
            store.refuseLeases()
            let appNetwork = ScriptedTransport(server)
            appNetwork.on(.operation(.changePassword, of: .clarity), hold(.pass, point))
            widgetNetwork = ScriptedTransport(server)
            app = try server.client(store: store, over: appNetwork) { $0.verifiesAtStart = false }
            widget = try server.client(store: store, over: widgetNetwork) { $0.verifiesAtStart = false }
            try await app.signIn(email: "jo@example.com", password: TestServerPasswordTests.password)
            try await widget.refreshUser()
        }

        func beginChange() async throws -> Task<Void, any Error> {
            let change = Task { [app] in
                try await app.changePassword(
                    from: TestServerPasswordTests.password, to: TestServerPasswordTests.other)
            }
            try await point.arrivals(1)
            return change
        }

        /// Refreshes in the widget, because its access token is refused once.
        func refreshInWidget() async throws(ClientError) {
            widgetNetwork.on(
                .operation(.currentUser, of: .clarity), .refusal(.invalidAccessToken, of: .clarity), times: 1)
            try await widget.refreshUser()
        }

        /// Refreshes in both processes with the tokens that they have by now.
        func refreshBoth() async throws {
            for client in [widget, app] {
                server.clock.advance(by: .seconds(3600))
                try await client.refreshUser()
            }
        }
    }

    @Test func `PT-12: tokens of the change replace those that a sibling stored before the server's commit`()
        async throws
    {
        let siblings = try await Siblings { $0.held(at: $1) }
        let change = try await siblings.beginChange()
        try await siblings.refreshInWidget()
        let revoked = try #require(siblings.store.saved.currentSession?.refreshToken)
        siblings.point.open()
        try await change.value
        #expect(siblings.store.saved.currentSession?.refreshToken != revoked)
        try await siblings.refreshBoth()
        #expect(siblings.app.isAuthenticated && siblings.widget.isAuthenticated)
    }

    @Test func `PT-12: a sibling that presents the withdrawn token keeps the session until the new tokens are stored`()
        async throws
    {
        let siblings = try await Siblings { $0.answerHeld(at: $1) }
        let change = try await siblings.beginChange()
        await #expect(throws: ClientError.temporarilyUnavailable) { try await siblings.refreshInWidget() }
        #expect(siblings.widget.isAuthenticated)
        siblings.point.open()
        try await change.value
        try await siblings.refreshBoth()
        #expect(siblings.app.isAuthenticated && siblings.widget.isAuthenticated)
    }

    @Test func `PT-12: a sibling keeps the session for five minutes at most`() async throws {
        let siblings = try await Siblings { $0.answerHeld(at: $1) }
        let change = try await siblings.beginChange()
        siblings.server.clock.advance(by: .seconds(299))
        await #expect(throws: ClientError.temporarilyUnavailable) { try await siblings.refreshInWidget() }
        siblings.server.clock.advance(by: .seconds(10))
        await #expect(throws: ClientError.sessionEnded(.refreshTokenRevoked)) {
            try await siblings.refreshInWidget()
        }
        siblings.point.open()
        try await change.value
        #expect(siblings.store.saved.sessions.isEmpty)
        #expect(siblings.app.state == .signedOut(.elsewhere))
    }

    @Test func `PT-12: a sign-out in a sibling during the change is final`() async throws {
        let siblings = try await Siblings { $0.answerHeld(at: $1) }
        let change = try await siblings.beginChange()
        try await siblings.widget.signOut()
        siblings.point.open()
        try await change.value
        #expect(siblings.store.saved.sessions.isEmpty)
        #expect(siblings.app.state == .signedOut(.elsewhere))
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
