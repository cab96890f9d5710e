import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

/// timetracker's client rules, numbered in the order in which its contract has them. What a keychain and an Info.plist have to
/// do with is in `Apple/Tests`.
@Suite struct TimetrackerRulesTests {
    private let callback = "timetracker://oauth/callback"

    @Test func `R1: http://localhost:3001 where no base URL is given`() throws {
        let client = try AuthClient(
            contract: .timetracker,
            options: ClientOptions(store: MemorySessionStore(), isDevelopment: true, verifiesAtStart: false))
        #expect(client.baseURL.text == "http://localhost:3001")
    }

    @Test(arguments: ["http://localhost:3001", "https://api.example.com", "https://example.com/timetracker"])
    func
        `R2: login URL strictly [API_BASE_URL]/auth/login?redirect_uri=timetracker://oauth/callback, ephemeral, callback scheme timetracker`(
            _ base: String
        ) async throws
    {
        let rig = try RuleRig(.timetracker, baseURL: base) { $0.bindsBrowserSignIns = false }
        let browser = OstiaryTesting.ScriptedBrowser(rig.server)
        try await rig.client.signInWithBrowser(using: browser)
        let page = try #require(browser.pages.first)
        #expect(page.url.absoluteString == "\(base)/auth/login?redirect_uri=timetracker://oauth/callback")
        #expect(page.isEphemeral)
        #expect(page.callback == .customScheme("timetracker"))
        #expect(page.redirectURI == callback)
    }

    @Test func `R3: no local PKCE: the exchange body has exactly code, state, redirect_uri`() async throws {
        let rig = try RuleRig(.timetracker) { $0.bindsBrowserSignIns = false }
        let browser = OstiaryTesting.ScriptedBrowser(rig.server)
        try await rig.client.signInWithBrowser(using: browser)
        let exchange = try #require(rig.network.calls(.post("/auth/token")).first)
        let body = try #require(JSONSerialization.jsonObject(with: Data(exchange.request.body)) as? [String: String])
        #expect(Set(body.keys) == ["code", "state", "redirect_uri"])
        #expect(body["redirect_uri"] == callback)
        #expect(browser.pages.first?.url.absoluteString.contains("challenge") == false)
    }

    @Test
    func
        `R4: every authenticated request carries Authorization, Content-Type and Accept, the latter two application/json`()
        async throws
    {
        let rig = try RuleRig(.timetracker)
        try await rig.signIn()
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE"] {
            rig.server.route(method, "/entries") { _ in .json("{}") }
        }
        let _: EmptyBody = try await rig.client.get("/entries")
        try await rig.client.post("/entries", body: ["note": "x"])
        try await rig.client.put("/entries", body: ["note": "x"])
        try await rig.client.patch("/entries")
        try await rig.client.delete("/entries")
        try await rig.client.refreshUser()
        let token = try await rig.client.accessToken().reveal()
        let calls = rig.network.calls(.bearer(token))
        #expect(calls.map(\.request.method).sorted() == ["DELETE", "GET", "GET", "PATCH", "POST", "PUT"])
        for call in calls {
            #expect(call.request.headers["content-type"] == "application/json", "\(call.request.method)")
            #expect(call.request.headers["accept"] == "application/json", "\(call.request.method)")
        }
    }

    @Test(arguments: [200, 201, 202, 204, 299])
    func `R5: any 2xx with an empty body is fine: nothing, or an empty value`(_ status: Int) async throws {
        let rig = try RuleRig(.timetracker)
        try await rig.signIn()
        rig.network.on(.own(of: .timetracker), .status(status))
        try await rig.client.post("/entries")
        let nothing: EmptyBody = try await rig.client.get("/entries")
        #expect(nothing == EmptyBody())
        rig.network.on(.signOut(of: .timetracker), .status(status))
        #expect(try await rig.client.signOut() == .revoked)
    }

    @Test(arguments: [#"{"error": "Unauthorized"}"#, "", "<html>", #"{"error": "x", "code": "session_revoked"}"#])
    func `R6: any 401, anywhere: keychain, memory and user are cleared at once, and login is shown`(_ body: String)
        async throws
    {
        let rig = try RuleRig(.timetracker)
        try await rig.signIn()
        #expect(!rig.isCleared)
        rig.network.on(.post("/entries/7/stop"), .status(401, body: body))
        await #expect(throws: ClientError.self) { try await rig.client.post("/entries/7/stop") }
        #expect(rig.client.currentUser == nil && !rig.client.hasValidToken)
        guard case .signedOut(.ended) = rig.client.state else {
            Issue.record("\(rig.client.state)")
            return
        }
        await rig.client.settle()
        #expect(rig.isCleared)
    }

    @Test func `R7: other errors: the error string is what the person is shown`() async throws {
        let rig = try RuleRig(.timetracker)
        try await rig.signIn()
        rig.network.on(.own(of: .timetracker), .json(#"{"error": "This month is closed."}"#, status: 409))
        let error = await #expect(throws: ClientError.self) { try await rig.client.post("/entries") }
        #expect(error?.description == "This month is closed.")
        #expect(rig.client.isAuthenticated)
    }

    @Test func `R8: keychain service com.timetracker.app, account accessToken, when unlocked, this device only`() {
        let keychain = Contract.timetracker.client.keychain
        #expect(keychain.service == "com.timetracker.app")
        #expect(keychain.items == [.accessToken: "accessToken"])
        #expect(keychain.accessible == .whenUnlocked && keychain.thisDeviceOnly)
    }

    @Test func `R8: the token is cached in memory to spare keychain reads`() async throws {
        let rig = try RuleRig(.timetracker)
        try await rig.signIn()
        rig.server.route("GET", "/entries") { _ in .json("[]") }
        await rig.client.settle()
        let before = rig.store.counts.reads
        for _ in 0..<50 { let _: [String] = try await rig.client.get("/entries") }
        #expect(rig.store.counts.reads == before)
    }

    @Test func `R9: at launch a kept token is checked with GET /auth/me: success sets the user`() async throws {
        let rig = try RuleRig(.timetracker)
        try await rig.signIn()
        await rig.client.settle()
        let next = try rig.restarted()
        let state = await next.states.first { if case .signedIn(_, verified: true) = $0 { true } else { false } }
        #expect(state != nil)
        #expect(next.currentUser?.email?.text == "jo@example.com")
        #expect(rig.network.calls(.get("/auth/me")).count == 1)
    }

    @Test func `R9: at launch: a refusal clears the keychain and shows login`() async throws {
        let rig = try RuleRig(.timetracker)
        try await rig.signIn()
        await rig.client.settle()
        rig.server.endSessions(of: "jo")
        let next = try rig.restarted()
        let state = await next.states.first { if case .signedOut = $0 { true } else { false } }
        #expect(state == .signedOut(.ended(.sessionRevoked)))
        await next.settle()
        #expect(rig.store.saved.currentSession == nil)
    }

    @Test func `R9: a network failure is not a rejection: kept, marked unverified, and checked again`() async throws {
        let rig = try RuleRig(.timetracker)
        try await rig.signIn()
        await rig.client.settle()
        rig.network.on(.any, .offline)
        let next = try rig.restarted()
        try await rig.network.calls(1, .get("/auth/me"))
        #expect(next.isAuthenticated)
        #expect(rig.store.saved.currentSession != nil)
        rig.network.removeRules()
        await next.willEnterForeground()
        guard case .signedIn(_, verified: true) = next.state else {
            Issue.record("\(next.state)")
            return
        }
    }

    @Test(arguments: [Reaction.pass, .status(500), .status(401), .offline, .timedOut, .status(200, body: "<html>")])
    func `R10: logout: best-effort POST /auth/logout, then all is cleared whatever the answer was`(_ answer: Reaction)
        async throws
    {
        let rig = try RuleRig(.timetracker)
        try await rig.signIn()
        rig.network.on(.signOut(of: .timetracker), answer)
        try await rig.client.signOut()
        #expect(rig.network.calls(.post("/auth/logout")).count >= 1)
        #expect(rig.isCleared)
        #expect(rig.client.state == .signedOut(.signedOut))
    }
}
