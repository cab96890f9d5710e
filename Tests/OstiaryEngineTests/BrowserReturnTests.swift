import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

/// The callback's handling of the provider's response.
@Suite struct BrowserReturnTests {
    private let scene: BrowserWorld
    init() throws { scene = try BrowserWorld() }

    @Test func `passes code and state on to the app`() async throws {
        let request = try await scene.begin()
        let url = try await scene.goBack(request.state, code: Secret("a/b&c"))
        #expect(url == "timetracker://oauth/callback?code=a%2Fb%26c&state=\(request.state.reveal())")
    }

    @Test func `refuses a state that nobody was given`() async throws {
        await #expect(throws: AuthError.authorizationRefused) {
            try await scene.goBack(Secret("made up"), code: Secret("x"))
        }
    }

    @Test(arguments: [nil, "browser-two", ""])
    func `refuses a browser that did not begin, and lets the one that did go on`(cookie: String?) async throws {
        let request = try await scene.begin()
        let code = scene.provider.code(for: request)
        await #expect(throws: AuthError.authorizationRefused) {
            try await scene.with(cookie: cookie).goBack(request.state, code: code)
        }
        try await scene.goBack(request.state, code: code)
        _ = try await scene.complete(BrowserWorld.Ready(code: code, state: request.state))
    }

    @Test func `does not let another browser break a sign-in with an error`() async throws {
        let request = try await scene.begin()
        await #expect(throws: AuthError.authorizationRefused) {
            try await scene.with(cookie: "browser-two").goBack(request.state, error: "access_denied")
        }
        try await scene.goBack(request.state, code: scene.provider.code(for: request))
    }

    @Test func `returns once`() async throws {
        let request = try await scene.begin()
        try await scene.goBack(request.state, code: Secret("one"))
        await #expect(throws: AuthError.authorizationRefused) {
            try await scene.goBack(request.state, code: Secret("two"))
        }
    }

    @Test func `returns once however often at once`() async throws {
        let request = try await scene.begin()
        let urls = await inParallel(50) { number in
            try? await scene.goBack(request.state, code: Secret("code-\(number)"))
        }
        #expect(urls.count { $0 != nil } == 1)
    }

    @Test(arguments: [(599.0, true), (600, false), (601, false)])
    func `takes the browser back until the sign-in is over`(seconds: Double, isTaken: Bool) async throws {
        let request = try await scene.begin()
        scene.world.clock.advance(by: .seconds(seconds))
        let refusal = await refusal { try await scene.goBack(request.state, code: Secret("x")) }
        #expect(refusal == (isTaken ? nil : .authorizationRefused))
    }

    @Test func `gives a sign-in no more time for coming back`() async throws {
        let request = try await scene.begin()
        let code = scene.provider.code(for: request)
        scene.world.clock.advance(by: .seconds(599))
        try await scene.goBack(request.state, code: code)
        scene.world.clock.advance(by: .seconds(1))
        await #expect(throws: AuthError.authorizationRefused) {
            try await scene.complete(BrowserWorld.Ready(code: code, state: request.state))
        }
    }

    @Test(arguments: [
        ("access_denied", "access_denied"), ("", "server_error"), ("a\"b", "server_error"), ("a\\b", "server_error"),
        ("a\r\nb", "server_error"), ("é", "server_error"), (String(repeating: "a", count: 65), "server_error"),
        (String(repeating: "a", count: 64), "server_error"), ("a b", "server_error"),
        ("ACCESS_DENIED", "server_error"), ("access_denied ", "server_error"), ("access_denied\u{301}", "server_error"),
        ("invalid_grant", "server_error"), ("call_0800_123456_now", "server_error"),
        ("temporarily_unavailable", "temporarily_unavailable"), ("invalid_scope", "invalid_scope"),
        ("login_required", "login_required"), ("registration_not_supported", "registration_not_supported"),
    ])
    func `PT-17: passes on error codes of RFC 6749 and OpenID Connect, and no other`(
        error: String, passed: String
    ) async throws {
        let request = try await scene.begin()
        let url = try await scene.goBack(request.state, code: Secret("x"), error: error)
        #expect(url == "timetracker://oauth/callback?error=\(passed)&state=\(request.state.reveal())")
    }

    @Test func `burns the state with an error`() async throws {
        let request = try await scene.begin()
        let code = scene.provider.code(for: request)
        try await scene.goBack(request.state, error: "access_denied")
        await #expect(throws: AuthError.authorizationRefused) { try await scene.goBack(request.state, code: code) }
        await #expect(throws: AuthError.authorizationRefused) {
            try await scene.complete(BrowserWorld.Ready(code: code, state: request.state))
        }
        #expect(scene.provider.grants.isEmpty)
    }

    @Test(arguments: ["https://evil.example.com", "https://idp.example.com/", "HTTPS://idp.example.com", ""])
    func `refuses an answer of another issuer, and burns the state`(issuer: String) async throws {
        let request = try await scene.begin()
        let code = scene.provider.code(for: request)
        await #expect(throws: AuthError.authorizationRefused) {
            try await scene.goBack(request.state, code: code, issuer: issuer)
        }
        await #expect(throws: AuthError.authorizationRefused) { try await scene.goBack(request.state, code: code) }
    }

    @Test func `passes no other issuer's error on, and burns the state`() async throws {
        let request = try await scene.begin()
        await #expect(throws: AuthError.authorizationRefused) {
            try await scene.goBack(request.state, error: "access_denied", issuer: "https://evil.example.com")
        }
        await #expect(throws: AuthError.authorizationRefused) {
            try await scene.goBack(request.state, error: "access_denied", issuer: "https://idp.example.com")
        }
    }

    /// Source: RFC 9207 §2.4.
    @Test func `OA-22 refuses an answer without the issuer that the provider says its answers name`() async throws {
        let request = try await scene.begin()
        let code = scene.provider.code(for: request)
        scene.provider.announceIssuer()
        await #expect(throws: AuthError.authorizationRefused) { try await scene.goBack(request.state, code: code) }
    }

    @Test func `takes an answer that names its issuer`() async throws {
        let request = try await scene.begin()
        try await scene.goBack(request.state, code: Secret("x"), issuer: "https://idp.example.com")
    }

    @Test func `takes an issuer's word where the provider has told none`() async throws {
        let scene = try BrowserWorld(provider: .named("github"))
        let request = try await scene.begin()
        try await scene.goBack(request.state, code: Secret("x"), issuer: "https://github.com/login/oauth")
    }

    @Test func `refuses an answer without code and error`() async throws {
        let request = try await scene.begin()
        await #expect(throws: AuthError.authorizationRefused) { try await scene.goBack(request.state) }
    }

    @Test func `writes down that a browser was turned away`() async throws {
        _ = await refusal { try await scene.goBack(Secret("made up"), code: Secret("x")) }
        let event = try #require(try await scene.world.events().last)
        #expect(event.action == "returnFromProvider")
        #expect(event.outcome == "authorization_refused")
    }

    @Test func `keeps nothing that helps a reader of the store`() async throws {
        let request = try await scene.begin()
        let code = scene.provider.code(for: request)
        try await scene.goBack(request.state, code: code)
        let kept = scene.world.store.singleUseRecords.map { String(decoding: $0.payload, as: UTF8.self) }
        #expect(kept.count == 2)
        for text in kept {
            for secret in [request.state.reveal(), request.nonce, code.reveal(), "browser-one"] {
                #expect(!text.contains(secret))
            }
        }
    }
}
