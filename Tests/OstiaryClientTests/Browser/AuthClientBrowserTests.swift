import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClient

@Suite struct AuthClientBrowserTests {
    private let time = TestClock(skippingSleeps: .seconds(86_400))

    private func client(
        _ contract: Contract = .timetracker, bindsBrowserSignIns: Bool = true, transport: ScriptedTransport
    ) throws -> AuthClient {
        var options = ClientOptions(
            store: MemorySessionStore(), transport: .custom(transport), system: time.system)
        options.bindsBrowserSignIns = bindsBrowserSignIns
        let url = try #require(URL(string: "https://auth.example.com"))
        return try AuthClient(contract: contract, baseURL: url, options: options)
    }

    /// What was said about sign-ins.
    private func signIns(_ events: AsyncStream<ClientEvent>, _ count: Int) async -> [ClientEvent] {
        var signIns: [ClientEvent] = []
        for await event in events {
            if case .signIn = event { signIns.append(event) }
            if signIns.count == count { break }
        }
        return signIns
    }

    @Test func `says how each sign-in ended`() async throws {
        let backend = try BrowserBackend(at: "https://auth.example.com")
        let client = try client(transport: backend.transport)
        let events = client.events
        try await client.signInWithBrowser(using: ScriptedBrowser(answering: "?code=c&state=s"))
        for answer in ["?error=access_denied", "?error=CaNaRy", "?code=CaNaRy"] {
            await #expect(throws: ClientError.self) {
                try await client.signInWithBrowser(using: ScriptedBrowser(answering: answer))
            }
        }
        let said = await signIns(events, 4)
        #expect(
            said == [
                .signIn(method: .browser, failure: nil), .signIn(method: .browser, failure: "provider_denied"),
                .signIn(method: .browser, failure: "provider_refused"),
                .signIn(method: .browser, failure: "callback_malformed"),
            ])
    }

    @Test func `tells a social sign-in from one at the backend`() async throws {
        let backend = try BrowserBackend(.viewvault, at: "https://auth.example.com")
        let client = try client(.viewvault, transport: backend.transport)
        let events = client.events
        try await client.signInWithBrowser(
            provider: "google", using: ScriptedBrowser(answering: "?code=c&state=state-1"))
        #expect(await signIns(events, 1) == [.signIn(method: .social, failure: nil)])
    }

    @Test(arguments: [true, false])
    func `binds as the options say`(bindsBrowserSignIns: Bool) async throws {
        let backend = try BrowserBackend(at: "https://auth.example.com")
        let client = try client(bindsBrowserSignIns: bindsBrowserSignIns, transport: backend.transport)
        try await client.signInWithBrowser(using: ScriptedBrowser(answering: "?code=c&state=s"))
        #expect(backend.exchanges[0].contains("app_verifier") == bindsBrowserSignIns)
    }

    @Test func `binds where nothing else is said`() { #expect(ClientOptions().bindsBrowserSignIns) }

    @Test func `takes the opened address that a sign-in waits for, and no other`() async throws {
        let backend = try BrowserBackend(at: "https://auth.example.com")
        let client = try client(transport: backend.transport)
        let browser = ScriptedBrowser()
        let own = try #require(URL(string: "timetracker://oauth/callback?code=c&state=s"))
        #expect(!client.open(own))
        async let signedIn = client.signInWithBrowser(using: browser)
        try await browser.page()
        #expect(!client.open(try #require(URL(string: "timetracker://sign-in"))))
        #expect(client.open(own))
        let session = try await signedIn
        guard case .signedIn(let current, verified: true) = client.state else {
            Issue.record("nobody is signed in: \(client.state)")
            return
        }
        #expect(current == session && session.label == "jo")
        #expect(!client.open(own))
        #expect(backend.exchanges.count == 1)
    }

    @Test func `shows nothing of a page but where it ends`() throws {
        let page = try BrowserPage(
            url: try #require(URL(string: "https://idp.example.com/?state=CaNaRy")), redirectURI: "app://callback")
        #expect(!"\(page) \(String(reflecting: page))".contains("CaNaRy") && !String(dumping: page).contains("CaNaRy"))
    }
}

extension String {
    fileprivate init(dumping value: Any) {
        self = ""
        dump(value, to: &self)
    }
}
