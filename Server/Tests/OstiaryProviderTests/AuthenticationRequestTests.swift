import OstiaryEngine
import Testing

@testable import OstiaryProvider

@Suite struct AuthenticationRequestTests {
    /// Source: RFC 6749 §4.1.2.1, RFC 9700 §2.1.
    @Test(arguments: [
        (["client_id": ""], AuthorizationStep.Problem.unknownClient),
        (["client_id": "nobody"], .unknownClient),
        (["client_id": "House"], .unknownClient),
        (["redirect_uri": ""], .redirectURIRefused),
        (["redirect_uri": "https://house.example.com/callback/"], .redirectURIRefused),
        (["redirect_uri": "https://house.example.com/callback?x=1"], .redirectURIRefused),
        (["redirect_uri": "https://HOUSE.example.com/callback"], .redirectURIRefused),
        (["redirect_uri": "https://house.example.com.evil.example/callback"], .redirectURIRefused),
        (["redirect_uri": "https://house.example.com/callback#"], .redirectURIRefused),
        (["redirect_uri": "https://neighbour.example.com/callback"], .redirectURIRefused),
        (["redirect_uri": "javascript:alert(1)"], .redirectURIRefused),
        (["state": String(repeating: "s", count: 2049)], .malformedRequest),
        (["nonce": String(repeating: "n", count: 513)], .malformedRequest),
    ])
    func `an unknown client, a foreign redirect URI or an endless parameter is told on a page and redirects nobody`(
        change: [String: String], problem: AuthorizationStep.Problem
    ) async throws {
        let world = try await World()
        let cookie = try await world.person()
        #expect(try await world.step(change, session: cookie) == .refused(problem))
    }

    /// Source: RFC 6749 §4.1.2.1, OpenID Connect Core §3.1.2.6, RFC 7636 §4.4.1.
    @Test(arguments: [
        (["response_type": ""], "invalid_request"),
        (["response_type": "token"], "unsupported_response_type"),
        (["response_type": "code id_token"], "unsupported_response_type"),
        (["response_mode": "fragment"], "invalid_request"),
        (["response_mode": "form_post"], "invalid_request"),
        (["scope": ""], "invalid_scope"),
        (["scope": "profile email"], "invalid_scope"),
        (["code_challenge_method": "plain"], "invalid_request"),
        (["code_challenge_method": ""], "invalid_request"),
        (["code_challenge": ""], "invalid_request"),
        (["code_challenge": "too-short"], "invalid_request"),
        (["prompt": "none login"], "invalid_request"),
        (["prompt": "create"], "invalid_request"),
        (["max_age": "-1"], "invalid_request"),
        (["max_age": "1e3"], "invalid_request"),
        (["max_age": "99999999999999999999"], "invalid_request"),
        (["request": "eyJ"], "request_not_supported"),
        (["request_uri": "https://evil.example/r"], "request_uri_not_supported"),
        (["registration": "{}"], "registration_not_supported"),
    ])
    func `anything else that is wrong is told to the client, with state and issuer and without a code`(
        change: [String: String], error: String
    ) async throws {
        let world = try await World()
        let cookie = try await world.person()
        let url = try #require(redirect(try await world.step(change, session: cookie)))
        #expect(url.hasPrefix("https://house.example.com/callback?error="))
        let answer = parameters(url)
        #expect(answer["error"] == error)
        #expect(answer["state"] == "a state")
        #expect(answer["iss"] == World.issuer)
        #expect(answer["code"] == nil)
    }

    @Test func `a client without a secret must use PKCE, one with a secret need not`() async throws {
        let world = try await World()
        let without = ["code_challenge": "", "code_challenge_method": ""]
        let cookie = try await world.person()
        let stranger = try await world.step(without, of: World.strangersRequest, session: cookie)
        #expect(parameters(try #require(redirect(stranger)))["error"] == "invalid_request")
        let house = try await world.step(without, session: cookie)
        #expect(parameters(try #require(redirect(house)))["code"] != nil)
    }

    @Test func `an answer is added to the query that a redirect URI has, and nothing in it can break out`() async throws
    {
        let world = try await World()
        let cookie = try await world.person()
        let state = "a&code=evil#\r\nLocation: é +"
        let change = ["redirect_uri": "https://house.example.com/cb?a=1", "state": state]
        let url = try #require(redirect(try await world.step(change, session: cookie)))
        #expect(url.hasPrefix("https://house.example.com/cb?a=1&code="))
        #expect(url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") })
        #expect(parameters(url)["state"] == state)
    }

    @Test func `unknown scopes and unknown parameters are left out`() async throws {
        let world = try await World()
        let change = ["scope": "openid admin offline_access Email", "display": "popup", "connection": "google-oauth2"]
        guard case .signIn(let request) = try await world.step(change) else {
            Issue.record("nobody was asked to sign in")
            return
        }
        #expect(request.scopes == [.openid, .offlineAccess])
        #expect(request.connection == nil)
    }

    @Test func `a request that went through a page is the same, without what signing in fulfilled`() async throws {
        let world = try await World()
        let change = [
            "prompt": "login consent", "max_age": "0", "login_hint": "ada&co@example.com", "ui_locales": "de",
        ]
        guard case .signIn(let request) = try await world.step(change) else {
            Issue.record("nobody was asked to sign in")
            return
        }
        let again = try #require(world.provider.request(parameters("https://x.example/?" + request.query)))
        #expect(again.state == "a state" && again.nonce == "a nonce" && again.codeChallenge == World.challenge)
        #expect(again.loginHint == "ada&co@example.com" && again.uiLocales == "de")
        #expect(again.redirectURI == request.redirectURI && again.scopes == request.scopes)
        #expect(again.prompts == [.consent] && again.maximumAge == nil)
        #expect(again.query == request.query)
    }
}

/// Returns the target of a step's redirect.
func redirect(_ step: AuthorizationStep) -> String? {
    guard case .redirect(let url) = step else { return nil }
    return url
}
