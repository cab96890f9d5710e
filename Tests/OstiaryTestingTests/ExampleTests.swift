import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

/// How an app's tests look: the example of ``TestServer``'s documentation, and one in the browser.
struct ExampleTests {
    @Test func `signs in, is refreshed, is offline for a while, and is told when the session ends`() async throws {
        let server = try TestServer(.vici)
        try server.addAccount(email: "jo@example.com", password: "correct horse 7 battery")
        server.route("GET", "/projects") { _ in .json(#"["Ostiary"]"#) }
        let network = ScriptedTransport(server)
        let auth = try server.client(over: network)
        try await auth.signIn(email: "jo@example.com", password: "correct horse 7 battery")

        // The access token is over: it is refreshed on the way.
        server.clock.advance(by: .seconds(3600))
        var projects: [String] = try await auth.get("/projects")
        #expect(projects == ["Ostiary"])
        #expect(server.count(of: .refresh) == 1)

        // Without a network nothing is lost.
        server.clock.advance(by: .seconds(3600))
        network.on(.any, .offline)
        await #expect(throws: ClientError.offline) { let _: [String] = try await auth.get("/projects") }
        #expect(auth.isAuthenticated)
        network.removeRules()
        projects = try await auth.get("/projects")
        #expect(projects == ["Ostiary"])

        // An administrator ends the session, and the app is told why.
        server.endSessions(of: "jo@example.com")
        await #expect(throws: ClientError.sessionEnded(.refreshTokenRevoked)) {
            let _: [String] = try await auth.get("/projects")
        }
        #expect(auth.state == .signedOut(.ended(.refreshTokenRevoked)))
    }

    @Test func `signs in with a code`() async throws {
        let server = try TestServer(.barqnet)
        let auth = try server.client()
        let code = try await auth.requestCode(for: "+15555550100")
        let digits = try #require(server.code(for: "+15555550100"))
        try await auth.register(code: code, digits: digits, password: "correct horse 7 battery")
        #expect(auth.currentUser?.phoneNumber?.e164 == "+15555550100")
    }

    @Test func `signs in in the browser`() async throws {
        let server = try TestServer(.timetracker)
        let auth = try server.client()
        let browser = ScriptedBrowser(server)
        try await auth.signInWithBrowser(using: browser)
        #expect(auth.currentUser?.email?.text == "jo@example.com")
        #expect(browser.pages.count == 1)
        #expect(browser.pages.first?.isEphemeral == true)
    }

    @Test func `signs in at a social provider`() async throws {
        let server = try TestServer(.viewvault)
        let auth = try server.client()
        try await auth.signInWithBrowser(provider: "google", using: ScriptedBrowser(server))
        #expect(auth.currentUser?.authProvider == "auth0")
    }

    @Test func `is told of a person who gives up, and of a provider that refuses`() async throws {
        let server = try TestServer(.timetracker)
        let auth = try server.client()
        await #expect(throws: ClientError.cancelledByUser) {
            try await auth.signInWithBrowser(using: ScriptedBrowser.closed)
        }
        await #expect(throws: ClientError.browserAnswer(.refused("access_denied"))) {
            try await auth.signInWithBrowser(using: ScriptedBrowser(server, .refuse("access_denied")))
        }
        #expect(!auth.isAuthenticated)
    }

    @Test func `holds a browser until the test lets the person go`() async throws {
        let server = try TestServer(.timetracker)
        let (auth, browser, point) = (try server.client(), ScriptedBrowser(server), HoldingPoint())
        browser.hold(at: point)
        let cancelled = Task { try await auth.signInWithBrowser(using: browser) }
        try await point.arrivals(1)
        cancelled.cancel()
        await #expect(throws: ClientError.cancelled) { try await cancelled.value }
        async let signedIn = auth.signInWithBrowser(using: browser)
        try await point.arrivals(2)
        point.open()
        #expect(try await signedIn.user != nil)
    }

    @Test func `opens a session behind a gate`() async throws {
        let server = try TestServer(.vici)
        try server.addAccount(email: "jo@example.com", password: "correct horse 7 battery")
        let (store, gate) = (TestStore(), ScriptedBiometricPrompt(answers: [.failed]))
        _ = try await server.client(store: store) { $0.biometricPrompt = gate }
            .signIn(email: "jo@example.com", password: "correct horse 7 battery")
        // The app starts again.
        let auth = try server.client(store: store) { $0.biometricPrompt = gate }
        for await state in auth.states where state == .locked { break }
        await #expect(throws: ClientError.self) { try await auth.unlock("Show your projects") }
        try await auth.unlock("Show your projects")
        #expect(auth.isAuthenticated)
        #expect(gate.reasons == ["Show your projects", "Show your projects"])
    }

    @Test func `plays two processes of one app that share a store`() async throws {
        let server = try TestServer(.vici)
        try server.addAccount(email: "jo@example.com", password: "correct horse 7 battery")
        server.route("GET", "/projects") { _ in .json("[]") }
        let store = TestStore()
        let (app, widget) = (try server.client(store: store), try server.client(store: store))
        try await app.signIn(email: "jo@example.com", password: "correct horse 7 battery")
        server.clock.advance(by: .seconds(3600))
        let _: [String] = try await app.get("/projects")
        let _: [String] = try await widget.get("/projects")
        #expect(server.count(of: .refresh) == 1)
    }
}
