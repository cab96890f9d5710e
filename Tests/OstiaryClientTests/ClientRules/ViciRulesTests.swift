import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

/// vici's client rules, numbered in the order in which its contract has them. R1, the view model, is in OstiaryUITests.
@Suite struct ViciRulesTests {
    private struct Note: Codable, Equatable { var text: String }

    @Test func `R1: persisted through restarts, and a profile fetch and update`() async throws {
        let rig = try RuleRig(.vici)
        try await rig.signIn()
        await rig.client.settle()
        let next = try rig.restarted()
        _ = await next.states.first { if case .signedIn = $0 { true } else { false } }
        #expect(next.currentUser?.fullName?.text == "Jo")
        #expect(try await next.refreshUser().email?.text == "jo@example.com")
        #expect(try await next.updateProfile(name: "Jo Dee").fullName?.text == "Jo Dee")
        #expect(next.currentUser?.fullName?.text == "Jo Dee")
    }

    @Test func `R2: GET, POST, PUT, PATCH, DELETE, the Bearer header put on by itself, typed results`()
        async throws
    {
        let rig = try RuleRig(.vici)
        try await rig.signIn()
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE"] {
            rig.server.route(method, "/notes") { _ in .json(#"{"text": "\#(method)"}"#) }
        }
        let note = Note(text: "x")
        let answers: [Note] = [
            try await rig.client.get("/notes"), try await rig.client.post("/notes", body: note),
            try await rig.client.put("/notes", body: note), try await rig.client.patch("/notes", body: note),
            try await rig.client.delete("/notes"),
        ]
        #expect(answers.map(\.text) == ["GET", "POST", "PUT", "PATCH", "DELETE"])
        let token = try await rig.client.accessToken().reveal()
        #expect(rig.network.calls(.own(of: .vici)).allSatisfy { $0.bearer == token })
    }

    @Test(arguments: [Reaction.offline, .dropped, .timedOut])
    func `R2: retries of transient connection failures`(_ failure: Reaction) async throws {
        let rig = try RuleRig(.vici)
        try await rig.signIn()
        rig.server.route("GET", "/notes") { _ in .json(#"{"text": "x"}"#) }
        rig.network.on(.get("/notes"), failure, times: 2)
        let note: Note = try await rig.client.get("/notes")
        #expect(note.text == "x")
        #expect(rig.network.calls(.get("/notes")).count == 3)
    }

    @Test func `R3: an expired access token is refreshed by itself, both stored tokens replaced`() async throws {
        let rig = try RuleRig(.vici)
        try await rig.signIn()
        await rig.client.settle()
        let before = try #require(rig.store.saved.currentSession)
        rig.server.route("GET", "/notes") { _ in .json(#"{"text": "x"}"#) }
        rig.server.clock.advance(by: .seconds(3601))
        let _: Note = try await rig.client.get("/notes")
        await rig.client.settle()
        let after = try #require(rig.store.saved.currentSession)
        #expect(after.accessToken.reveal() != before.accessToken.reveal())
        #expect(after.refreshToken?.reveal() != before.refreshToken?.reveal())
        #expect(rig.server.count(of: .refresh) == 1)
    }

    @Test func `R3: a refused refresh token leads to login`() async throws {
        let rig = try RuleRig(.vici)
        try await rig.signIn()
        rig.server.endSessions(of: "jo@example.com")
        rig.server.clock.advance(by: .seconds(3601))
        await #expect(throws: ClientError.sessionEnded(.refreshTokenRevoked)) {
            try await rig.client.get("/notes") as Note
        }
        #expect(rig.client.state == .signedOut(.ended(.refreshTokenRevoked)))
        await rig.client.settle()
        #expect(rig.isCleared)
    }

    @Test func `R4: if the keychain is unavailable the app still works (memory only) and says so`() async throws {
        let rig = try RuleRig(.vici)
        rig.store.makeUnwritable()
        let events = rig.client.events
        try await rig.signIn()
        let told = await events.first { if case .storeUnwritable = $0 { true } else { false } }
        #expect(told == .storeUnwritable(TestStore.denied))
        rig.server.route("GET", "/notes") { _ in .json(#"{"text": "x"}"#) }
        let note: Note = try await rig.client.get("/notes")
        #expect(note.text == "x" && rig.client.isAuthenticated)
        #expect(rig.store.saved.currentSession == nil)
    }
}
