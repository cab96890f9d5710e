import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

/// viewvault's client rules, numbered in the order in which its contract has them. R5, the screens, is in OstiaryUITests and `Apple/Tests`.
@Suite struct ViewvaultRulesTests {
    @Test(arguments: ["google", "github"])
    func `R1: social: config, oauth_url, browser, code, callback`(_ provider: String) async throws {
        let rig = try RuleRig(.viewvault)
        let browser = OstiaryTesting.ScriptedBrowser(rig.server)
        try await rig.client.signInWithBrowser(provider: provider, using: browser)
        #expect(rig.client.isAuthenticated)
        #expect(
            rig.network.calls.prefix(3).map { "\($0.request.method) \($0.request.path)" } == [
                "GET /api/auth/auth0/config", "POST /api/auth/auth0/oauth/\(provider)", "POST /api/auth/auth0/callback",
            ])
        #expect(browser.pages.first?.redirectURI == "viewvault://oauth/callback")
    }

    @Test func `R1: password: username and password`() async throws {
        let rig = try RuleRig(.viewvault)
        try await rig.signIn()
        #expect(rig.client.currentUser?.username?.text == "jo")
    }

    @Test func `R2: expiry is checked before every call: expired is login, and nothing is sent`() async throws {
        let rig = try RuleRig(.viewvault)
        try await rig.signIn()
        rig.server.clock.advance(by: .seconds(3600))
        #expect(!rig.client.hasValidToken)
        await #expect(throws: ClientError.self) { let _: [String] = try await rig.client.get("/videos") }
        #expect(rig.network.calls(.own(of: .viewvault)).isEmpty)
        guard case .signedOut(.ended) = rig.client.state else {
            Issue.record("\(rig.client.state)")
            return
        }
    }

    @Test func `R2: logout clears`() async throws {
        let rig = try RuleRig(.viewvault)
        try await rig.signIn()
        try await rig.client.signOut()
        #expect(rig.isCleared)
    }

    @Test func `R3: network errors are retried with exponential backoff`() async throws {
        let rig = try RuleRig(.viewvault)
        try await rig.signIn()
        let before = rig.server.clock.sleeps.count
        rig.network.on(.get("/videos"), .offline)
        await #expect(throws: ClientError.offline) { let _: [String] = try await rig.client.get("/videos") }
        let waits = Array(rig.server.clock.sleeps[before...])
        #expect(waits.count == 3 && rig.network.calls(.get("/videos")).count == 4)
        // Chance takes from each wait; the longest that each may be doubles.
        for (wait, longest) in zip(waits, [0.5, 1, 2]) { #expect(wait <= .seconds(longest)) }
    }

    @Test func `R3: wrong credentials get a friendly message; server errors a generic one`() async throws {
        let rig = try RuleRig(.viewvault)
        let wrong = await #expect(throws: ClientError.refused(.wrongCredentials)) {
            try await rig.client.signIn(username: "jo", password: "wrong")
        }
        #expect(wrong?.description == "The sign-in details are not correct.")
        rig.network.on(.any, .status(500, body: "Traceback (most recent call last)"))
        let broken = await #expect(throws: ClientError.self) {
            try await rig.client.signIn(username: "jo", password: "wrong")
        }
        #expect(broken?.description.contains("Traceback") == false)
    }

    @Test func `R4: HTTPS only, base https://app.viewvault.app`() throws {
        let options = ClientOptions(store: MemorySessionStore(), isDevelopment: false, verifiesAtStart: false)
        #expect(
            try AuthClient(contract: .viewvault, options: options).baseURL.text == "https://app.viewvault.app")
        let plain = try #require(URL(string: "http://app.viewvault.app"))
        #expect(throws: ClientError.invalidURL(.plainHTTP)) {
            try AuthClient(contract: .viewvault, baseURL: plain, options: options)
        }
    }

    @Test(arguments: ["", " ", "a\nb", String(repeating: "x", count: 5000)])
    func `R4: inputs are validated before sending`(_ username: String) async throws {
        let rig = try RuleRig(.viewvault)
        await #expect(throws: ClientError.self) {
            try await rig.client.signIn(username: username, password: RuleRig.password)
        }
        #expect(rig.network.calls.isEmpty)
    }

    @Test func `R6: success and failure rates of sign-in, error rates, which method people choose`() async throws {
        let rig = try RuleRig(.viewvault)
        let events = rig.client.events
        await #expect(throws: ClientError.self) { try await rig.client.signIn(username: "jo", password: "wrong") }
        try await rig.signIn()
        try await rig.client.signInWithBrowser(provider: "google", using: OstiaryTesting.ScriptedBrowser(rig.server))
        rig.network.on(.get("/videos"), .status(404))
        await #expect(throws: ClientError.self) { let _: [String] = try await rig.client.get("/videos") }
        var counts = ClientCounts()
        for await event in events {
            counts.add(event)
            if case .request = event { break }
        }
        #expect(counts.signIns[.password]?.successRate == 0.5)
        #expect(counts.signIns[.social]?.successRate == 1)
        #expect(counts.answers == [4: 1] && counts.requestErrorRate == 0)
    }
}
