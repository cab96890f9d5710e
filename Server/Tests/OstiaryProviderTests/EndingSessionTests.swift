import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

@testable import OstiaryProvider

@Suite struct EndingSessionTests {
    static let bye = "https://house.example.com/bye"

    @Test func `a registered destination of a client that is named is gone to, with its state`() async throws {
        let world = try await World()
        let named = try #require(
            try await world.provider.endSession([
                "client_id": "house", "post_logout_redirect_uri": Self.bye, "state": "a&b",
            ]))
        #expect(named.destination == "\(Self.bye)?state=a%26b")
        #expect(named.client?.id == "house")
        // The request that the form carries is equal to the original.
        #expect(try await world.provider.endSession(parameters("https://x.example/?" + named.query)) == named)
    }

    @Test func `an ID token names the client, long after it expired`() async throws {
        let world = try await World()
        let hint = try await world.tokens().idToken.reveal()
        world.clock.advance(by: .seconds(86_400))
        let wish = try await world.provider.endSession(["id_token_hint": hint, "post_logout_redirect_uri": Self.bye])
        #expect(wish?.destination == Self.bye)
    }

    @Test(arguments: [
        ["post_logout_redirect_uri": EndingSessionTests.bye],
        ["client_id": "house", "post_logout_redirect_uri": "https://evil.example/"],
        ["client_id": "house", "post_logout_redirect_uri": EndingSessionTests.bye + "/"],
        ["client_id": "neighbour", "post_logout_redirect_uri": EndingSessionTests.bye],
        ["client_id": "nobody"],
        ["id_token_hint": "a.b.c"],
        ["client_id": "house", "id_token_hint": ""].merging(["id_token_hint": "eyJ"]) { $1 },
    ])
    func `nobody is sent where nobody registered to be`(parameters: [String: String]) async throws {
        let world = try await World()
        #expect(try await world.provider.endSession(parameters) == nil)
    }

    @Test func `a hint for one client does not serve another, nor does a hint of somebody else's make`() async throws {
        let world = try await World()
        let hint = try await world.tokens().idToken.reveal()
        #expect(try await world.provider.endSession(["client_id": "neighbour", "id_token_hint": hint]) == nil)
        let other = try await World { $0.issuer = "https://auth.example.com/other" }
        #expect(try await other.provider.endSession(["id_token_hint": hint]) == nil)
    }

    @Test func `without a word the person may still sign out, and stays here`() async throws {
        let world = try await World()
        let wish = try #require(try await world.provider.endSession([:]))
        #expect(wish.destination == nil && wish.client == nil)
    }

    @Test func `a wish alone ends nothing, signing out ends the browser's session`() async throws {
        let world = try await World()
        let cookie = try await world.person()
        _ = try await world.provider.endSession(["client_id": "house"])
        #expect(try await world.provider.bearer(ofSession: cookie, from: world.caller) != nil)
        try await world.provider.signOut(session: cookie, from: world.caller)
        #expect(try await world.provider.bearer(ofSession: cookie, from: world.caller) == nil)
    }

    @Test func `PT-42: signing out ends what clients were granted in the browser's session`() async throws {
        let world = try await World()
        let cookie = try await world.person()
        let offline = ["scope": "openid offline_access"]
        let tokens = try await world.redeem(try await world.code(offline, session: cookie))
        let kept = try await world.refresh(tokens.refreshToken)
        try await world.provider.signOut(session: cookie, from: world.caller)
        await #expect(throws: OAuthError.self) { try await world.refresh(kept.refreshToken) }
        await #expect(throws: OAuthError.self) {
            try await world.provider.userInfo(kept.accessToken, from: world.caller)
        }
    }

    @Test func `PT-42: signing out in one browser ends nothing of another`() async throws {
        let world = try await World()
        let (one, other) = (try await world.person(), try await world.signIn())
        let offline = ["scope": "openid offline_access"]
        let tokens = try await world.redeem(try await world.code(offline, session: other))
        try await world.provider.signOut(session: one, from: world.caller)
        _ = try await world.refresh(tokens.refreshToken)
        #expect(try await world.provider.bearer(ofSession: other, from: world.caller) != nil)
    }

    @Test func `PT-42: what was granted before the same person signed in again ends with the new session`() async throws
    {
        let world = try await World()
        let before = try await world.person()
        let tokens = try await world.redeem(
            try await world.code(["scope": "openid offline_access"], session: before))
        let signedIn = try await world.provider.engine.serving(world.caller).perform(
            SignIn(identifier: .email(EmailAddress("ada@example.com")), password: Secret(World.password)))
        try await world.provider.replaceSession(before, with: signedIn, from: world.caller)
        #expect(try await world.provider.bearer(ofSession: before, from: world.caller) == nil)
        let kept = try await world.refresh(tokens.refreshToken)
        try await world.provider.signOut(session: signedIn.tokens.accessToken, from: world.caller)
        await #expect(throws: OAuthError.self) { try await world.refresh(kept.refreshToken) }
    }

    @Test func `PT-42: another person who signs in ends no grant of the one before`() async throws {
        let world = try await World()
        let before = try await world.person()
        let tokens = try await world.redeem(
            try await world.code(["scope": "openid offline_access"], session: before))
        _ = try await world.person("grace@example.com")
        let signedIn = try await world.provider.engine.serving(world.caller).perform(
            SignIn(identifier: .email(EmailAddress("grace@example.com")), password: Secret(World.password)))
        try await world.provider.replaceSession(before, with: signedIn, from: world.caller)
        try await world.provider.signOut(session: signedIn.tokens.accessToken, from: world.caller)
        _ = try await world.refresh(tokens.refreshToken)
    }

    @Test func `PT-42: a code is worth nothing once its browser has signed out`() async throws {
        let world = try await World()
        let cookie = try await world.person()
        let code = try await world.code(["scope": "openid offline_access"], session: cookie)
        try await world.provider.signOut(session: cookie, from: world.caller)
        await #expect(throws: OAuthError.self) { try await world.redeem(code) }
    }
}
