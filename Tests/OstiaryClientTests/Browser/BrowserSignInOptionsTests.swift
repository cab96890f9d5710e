import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClient

@Suite struct BrowserSignInOptionsTests {
    private func client(
        _ contract: Contract, _ backend: BrowserBackend, _ choices: BrowserSignInOptions = BrowserSignInOptions()
    ) throws -> AuthClient {
        var options = ClientOptions(
            store: MemorySessionStore(), transport: .custom(backend.transport), system: backend.time.system)
        options.browserSignIn = choices
        return try AuthClient(
            contract: contract, baseURL: try #require(URL(string: "https://app.viewvault.app")), options: options)
    }

    /// The page that a sign-in shows.
    private func page(
        _ contract: Contract = .viewvault, choices: BrowserSignInOptions = BrowserSignInOptions(),
        options: BrowserSignInOptions? = nil,
        authorization: String = BrowserBackend.authorization(state: "state-1")
    ) async throws -> BrowserPage {
        let backend = try BrowserBackend(
            contract, at: "https://app.viewvault.app", authorization: { _ in authorization })
        let browser = ScriptedBrowser(answering: "?code=c&state=state-1")
        let client = try client(contract, backend, choices)
        let provider = contract == .timetracker ? nil : "google"
        if let options {
            try await client.signInWithBrowser(provider: provider, options: options, using: browser)
        } else {
            try await client.signInWithBrowser(provider: provider, using: browser)
        }
        return try #require(browser.pages.first)
    }

    @Test func `whether the browser is ephemeral is the contract's, unless the app says otherwise`() async throws {
        #expect(try await page().isEphemeral)
        var shared = Contract.viewvault
        shared.client.prefersEphemeralWebBrowserSession = false
        #expect(try await !page(shared).isEphemeral)
        let choice = BrowserSignInOptions(prefersEphemeralWebBrowserSession: false)
        #expect(try await !page(choices: choice).isEphemeral)
        #expect(try await !page(.timetracker, choices: choice).isEphemeral)
        let other = BrowserSignInOptions(prefersEphemeralWebBrowserSession: true)
        #expect(try await page(shared, choices: choice, options: other).isEphemeral)
    }

    @Test func `a login hint and further parameters go into the authorization request`() async throws {
        let options = BrowserSignInOptions(
            loginHint: "jo+a@example.com", additionalParameters: ["prompt": "login", "ui_locales": "de en"])
        let plain = BrowserBackend.authorization(state: "state-1")
        let added = "login_hint=jo%2Ba%40example.com&prompt=login&ui_locales=de%20en"
        #expect(try await page(options: options).url.absoluteString == "\(plain)&\(added)")
        #expect(try await page(choices: options).url.absoluteString == "\(plain)&\(added)")
        let bare = "https://idp.example.com/authorize"
        #expect(
            try await page(options: options, authorization: "\(bare)?state=state-1#top").url.absoluteString
                == "\(bare)?state=state-1&\(added)#top")
    }

    @Test(arguments: ["state", "redirect_uri", "scope", "code_challenge", "request", "", "audience"])
    func `a parameter of the protocol or of the backend is refused`(name: String) async throws {
        let options = BrowserSignInOptions(additionalParameters: [name: "x"])
        let authorization = BrowserBackend.authorization(state: "state-1") + "&audience=a"
        let refusal = ClientError.invalidRequest("a parameter that an app may not set in a sign-in")
        await #expect(throws: refusal) { try await page(options: options, authorization: authorization) }
    }

    @Test func `the backend's own page takes none of them`() async throws {
        let backend = try BrowserBackend()
        let browser = ScriptedBrowser(answering: "?code=c&state=s")
        let client = try client(.timetracker, backend)
        for options in [
            BrowserSignInOptions(loginHint: "jo"), BrowserSignInOptions(additionalParameters: ["prompt": "login"]),
        ] {
            await #expect(throws: ClientError.self) {
                try await client.signInWithBrowser(options: options, using: browser)
            }
        }
        #expect(browser.pages.isEmpty)
    }

    @Test func `options print no login hint`() {
        let options = BrowserSignInOptions(loginHint: "jo@example.com")
        #expect(!"\(options) \(String(reflecting: options))".contains("example"))
        var dumped = ""
        dump(options, to: &dumped)
        #expect(!dumped.contains("example"))
    }
}
