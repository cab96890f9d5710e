#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif
import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClient

@Suite struct BrowserFlowTests {
    private let callback = "timetracker://oauth/callback"

    @Test func `opens exactly the contract's address where nothing is bound`() async throws {
        let (backend, browser) = (try BrowserBackend(bindsDevice: false), ScriptedBrowser())
        async let signedIn = backend.signIn(browser)
        let page = try await browser.page()
        browser.end(at: callback + "?code=c&state=s")
        _ = try await signedIn
        #expect(
            page.url.absoluteString == "http://localhost:3001/auth/login?redirect_uri=timetracker://oauth/callback")
        #expect(page.isEphemeral && page.callback == .customScheme("timetracker"))
    }

    @Test func `exchanges exactly code, state and redirect URI where nothing is bound`() async throws {
        let backend = try BrowserBackend(bindsDevice: false)
        let signedIn = try await backend.signIn(ScriptedBrowser(answering: "?code=c&state=s"))
        #expect(backend.exchanges == [#"{"code":"c","state":"s","redirect_uri":"timetracker://oauth/callback"}"#])
        #expect(signedIn.tokens.accessToken.reveal() == "a")
    }

    @Test func `shows the challenge at the beginning and its verifier at the end`() async throws {
        let (backend, browser) = (try BrowserBackend(), ScriptedBrowser())
        async let signedIn = backend.signIn(browser)
        let page = try await browser.page()
        browser.end(at: callback + "?code=c&state=s")
        _ = try await signedIn
        let query = try #require(page.url.query(percentEncoded: true))
        let begun = try #require(
            try Codec(.timetracker).read(WireRequest(method: "GET", path: "/auth/login", query: query))
                as? BeginBrowserSignIn)
        let ended = try #require(
            try Codec(.timetracker).read(backend.transport.calls[0].request) as? CompleteBrowserSignIn)
        #expect(begun.redirectURI == callback && begun.appChallenge?.utf8.count == 43)
        let verifier = try #require(ended.appVerifier)
        let digest = Data(SHA256.hash(data: Data(verifier.reveal().utf8))).base64EncodedString()
        #expect(
            digest.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "") == begun.appChallenge)
        #expect(
            page.url.absoluteString.hasPrefix(
                "http://localhost:3001/auth/login?redirect_uri=\(callback)&app_challenge="))
    }

    @Test func `makes another verifier each time`() async throws {
        let backend = try BrowserBackend()
        for _ in 0..<2 { _ = try await backend.signIn(ScriptedBrowser(answering: "?code=c&state=s")) }
        #expect(Set(backend.exchanges).count == 2)
    }

    @Test func `binds nothing where the contract has a place for one half only`() async throws {
        var contract = Contract.timetracker
        contract.endpoints[.beginBrowserSignIn] = .get("/login", takes: [.required(.redirectUri)])
        let (backend, browser) = (try BrowserBackend(contract), ScriptedBrowser())
        async let signedIn = backend.signIn(browser)
        let page = try await browser.page()
        browser.end(at: callback + "?code=c&state=s")
        _ = try await signedIn
        #expect(page.url.query(percentEncoded: true) == "redirect_uri=timetracker://oauth/callback")
        #expect(!backend.exchanges[0].contains("app_verifier"))
    }

    @Test func `names the provider that was asked for`() async throws {
        let (backend, browser) = (try BrowserBackend(bindsDevice: false), ScriptedBrowser())
        async let signedIn = backend.signIn(browser, provider: "my idp&x=1")
        let page = try await browser.page()
        browser.end(at: callback + "?code=c&state=s")
        _ = try await signedIn
        #expect(page.url.query(percentEncoded: true) == "redirect_uri=\(callback)&provider=my%20idp%26x%3D1")
    }

    @Test(arguments: [
        ("http://127.0.0.1:49152/callback", BrowserPage.Callback.loopback(port: 49152, path: "/callback")),
        ("http://[::1]:8000/", .loopback(port: 8000, path: "/")),
        ("https://app.example.com/oauth/callback", .https(host: "app.example.com", path: "/oauth/callback")),
        ("com.example.App:/" + "/x", .customScheme("com.example.app")),
    ])
    func `ends where the caller says`(redirectURI: String, place: BrowserPage.Callback) async throws {
        let (backend, browser) = (try BrowserBackend(), ScriptedBrowser())
        async let signedIn = backend.signIn(browser, redirectURI: redirectURI)
        let page = try await browser.page()
        browser.end(at: redirectURI + "?code=c&state=s")
        _ = try await signedIn
        #expect(page.callback == place && page.redirectURI == redirectURI)
        #expect(try JSON.read(backend.transport.calls[0].request.body)["redirect_uri"] == .string(redirectURI))
    }

    @Test(arguments: [
        "", "callback", "javascript://x/%0Aalert(1)", "data:text/html,x", "file:///etc/passwd",
        "http://evil.example.com/x",
        "http://127.0.0.1.evil.example.com:80/", "http://127.0.0.1/callback", "http://localhost:3000/callback",
        "https://user@app.example.com/x", "https:///x", "https://app.example.com/x#y", "timetracker:/oauth/callback",
        "timetracker://oauth/callback\r\nx", "timetracker://oauth/c\u{301}",
        "app://" + String(repeating: "x", count: 2048),
    ])
    func `opens no browser that would end elsewhere`(redirectURI: String) async throws {
        let (backend, browser) = (try BrowserBackend(), ScriptedBrowser())
        await #expect(throws: ClientError.self) { try await backend.signIn(browser, redirectURI: redirectURI) }
        #expect(browser.pages.isEmpty && backend.transport.calls.isEmpty)
    }

    @Test func `says what is missing where nobody says where it ends`() async throws {
        var contract = Contract.timetracker
        contract.redirectURIs = []
        let backend = try BrowserBackend(contract)
        await #expect(throws: BrowserFlowTests.missing) { try await backend.signIn(ScriptedBrowser()) }
    }

    @Test func `is unsupported where the contract has no browser`() async throws {
        var contract = Contract.vici
        contract.without = [.beginSocialSignIn]
        let backend = try BrowserBackend(contract)
        await #expect(throws: ClientError.unsupported(.beginBrowserSignIn)) {
            try await backend.signIn(ScriptedBrowser())
        }
    }

    // MARK: SD-02: what the browser brings back

    @Test(arguments: [
        ("other://oauth/callback?code=c&state=s", BrowserCallbackProblem.foreign),
        ("timetracker://evil/callback?code=c&state=s", .foreign),
        ("timetracker://oauth/other?code=c&state=s", .foreign),
        ("timetracker://oauth/callback?error=access_denied&state=s", .refused("access_denied")),
        ("timetracker://oauth/callback?error=server_error", .refused("server_error")),
        ("timetracker://oauth/callback", .malformed), ("timetracker://oauth/callback?state=s", .malformed),
        ("timetracker://oauth/callback?code=c&code=d&state=s", .malformed),
        ("timetracker://oauth/callback?code=c", .malformed),
        ("timetracker://oauth/callback?code=\(String(repeating: "c", count: 100_000))&state=s", .tooLong),
    ])
    func `exchanges nothing but a code that can be read`(address: String, problem: BrowserCallbackProblem) async throws
    {
        let backend = try BrowserBackend()
        await #expect(throws: ClientError.browserAnswer(problem)) {
            try await backend.signIn(ScriptedBrowser { _ in address })
        }
        #expect(backend.transport.calls.isEmpty)
        // The turn is free again.
        _ = try await backend.signIn(ScriptedBrowser(answering: "?code=c&state=s"))
    }

    @Test(arguments: [
        (BrowserPresenterProblem.cancelled, ClientError.cancelledByUser), (.timedOut, .network(.timedOut)),
        (.misconfigured("no window"), .invalidRequest("the browser cannot be opened: no window")),
    ])
    func `tells why there was no browser`(problem: BrowserPresenterProblem, error: ClientError) async throws {
        let backend = try BrowserBackend()
        await #expect(throws: error) {
            try await backend.signIn(ScriptedBrowser { _ throws(BrowserPresenterProblem) in throw problem })
        }
        #expect(backend.transport.calls.isEmpty)
    }

    // MARK: The exchange

    @Test func `sends a code again only if no connection was opened`() async throws {
        let tries = BrowserBackend.Counter()
        let backend = try BrowserBackend { _ throws(TransportError) in
            if tries.next() < 3 { throw .offline }
            return nil
        }
        _ = try await backend.signIn(ScriptedBrowser(answering: "?code=c&state=s"))
        #expect(backend.exchanges.count == 3 && Set(backend.exchanges).count == 1)
        #expect(backend.time.sleeps == [.milliseconds(500), .milliseconds(1000)])
    }

    @Test func `gives up while there is no connection`() async throws {
        let backend = try BrowserBackend { _ throws(TransportError) in throw .offline }
        await #expect(throws: ClientError.offline) {
            try await backend.signIn(ScriptedBrowser(answering: "?code=c&state=s"))
        }
        #expect(backend.exchanges.count == 4)
    }

    @Test(arguments: [TransportError.connectionLost, .timedOut])
    func `never shows a code twice that the server may have seen`(error: TransportError) async throws {
        let backend = try BrowserBackend { _ throws(TransportError) in throw error }
        await #expect(throws: ClientError.network(error)) {
            try await backend.signIn(ScriptedBrowser(answering: "?code=c&state=s"))
        }
        #expect(backend.exchanges.count == 1)
    }

    @Test(arguments: [
        (AuthError.authorizationRefused, ClientError.refused(.authorizationRefused)),
        (.redirectURIRefused, .refused(.redirectURIRefused)), (.unavailable(incident: "i"), .temporarilyUnavailable),
        (.identityTokenInvalid, .refused(.identityTokenInvalid)),
        (.tooManyAttempts(retryAfterSeconds: 7), .rateLimited(until: TestClock.start + 7)),
    ])
    func `tells what the server said to the code`(refusal: AuthError, error: ClientError) async throws {
        let backend = try BrowserBackend { _ in .refusal(refusal, in: .timetracker) }
        await #expect(throws: error) { try await backend.signIn(ScriptedBrowser(answering: "?code=c&state=s")) }
        #expect(backend.exchanges.count == 1)
    }

    // MARK: Asking first

    @Test(arguments: [
        (AuthError.redirectURIRefused, false), (.rejected(status: 400, message: "no"), false),
    ])
    func `knows a redirect URI that the backend refuses`(refusal: AuthError, isAccepted: Bool) async throws {
        let backend = try BrowserBackend { _ in .refusal(refusal, in: .timetracker) }
        #expect(try await backend.flow.isAccepted(redirectURI: "x://y", provider: nil) == isAccepted)
    }

    @Test func `knows a redirect URI that the backend takes`() async throws {
        #expect(try await BrowserBackend().flow.isAccepted(redirectURI: callback, provider: nil))
    }

    @Test func `does not take a backend that is away for one that refuses`() async throws {
        let backend = try BrowserBackend { _ in .refusal(.unavailable(incident: "i"), in: .timetracker) }
        await #expect(throws: ClientError.temporarilyUnavailable) {
            try await backend.flow.isAccepted(redirectURI: callback, provider: nil)
        }
    }

    private static let missing = ClientError.invalidRequest(
        "the contract does not say where a sign-in in the browser ends: give a redirect URI")
}
