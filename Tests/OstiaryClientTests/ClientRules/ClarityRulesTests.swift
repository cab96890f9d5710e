import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

/// clarity's client rules, numbered in the order in which its contract has them.
@Suite struct ClarityRulesTests {
    @Test func `R1: keychain accounts access_token and refresh_token`() {
        #expect(
            Contract.clarity.client.keychain.items == [.accessToken: "access_token", .refreshToken: "refresh_token"])
    }

    @Test(arguments: [600, 3600])
    func `R1: expiry is remembered from expires_in`(_ seconds: Int) async throws {
        let rig = try RuleRig(.clarity, rules: .accessTokens(lasting: seconds))
        try await rig.signIn()
        await rig.client.settle()
        let session = try #require(rig.store.saved.currentSession)
        #expect(session.expiresAt == rig.server.clock.now + Double(seconds))
    }

    @Test(arguments: [(61, 0), (60, 1), (59, 1)])
    func `R2: refresh when 60 seconds or less remain`(_ remaining: Int, _ refreshes: Int) async throws {
        let rig = try RuleRig(.clarity)
        try await rig.signIn()
        rig.server.clock.advance(by: .seconds(3600 - remaining))
        _ = try await rig.client.accessToken()
        await rig.client.settle()
        #expect(rig.server.count(of: .refresh) == refreshes)
    }

    @Test func `R2: the Bearer header on every request once there is a token`() async throws {
        let rig = try RuleRig(.clarity)
        rig.server.route("GET", "/insights") { _ in .json("[]") }
        await #expect(throws: ClientError.notSignedIn) { let _: [String] = try await rig.client.get("/insights") }
        #expect(rig.network.calls(.get("/insights")).isEmpty)
        try await rig.signIn()
        let _: [String] = try await rig.client.get("/insights")
        try await rig.client.refreshUser()
        let calls = rig.network.calls(.get("/insights")) + rig.network.calls(.get("/api/v1/auth/me"))
        #expect(calls.count == 2 && calls.allSatisfy { $0.bearer != nil })
    }

    @Test func `R3: sign-out tells the backend if it can`() async throws {
        let rig = try RuleRig(.clarity)
        try await rig.signIn()
        #expect(try await rig.client.signOut() == .revoked)
        #expect(rig.server.sessions(of: "jo@example.com") == 0)
        #expect(rig.isCleared)
    }

    @Test(arguments: [Reaction.offline, .status(503), .status(401)])
    func `R3: sign-out clears locally in any case`(_ answer: Reaction) async throws {
        let rig = try RuleRig(.clarity)
        try await rig.signIn()
        rig.network.on(.signOut(of: .clarity), answer)
        try await rig.client.signOut()
        #expect(rig.isCleared)
    }
}
