import Testing

@testable import OstiaryHTTP

/// A person consents to exactly the scopes that the page names.
@Suite(.timeLimit(.minutes(5))) struct ProviderConsentTests {
    private static let words = [
        "en": ["your name", "your email address", "stay signed in while you are away"],
        "de": ["Ihren Namen", "Ihre E\u{2011}Mail-Adresse", "angemeldet bleiben, während Sie nicht da sind"],
    ]

    @Test(
        arguments: ["en", "de"],
        [
            ("openid", [false, false, false]), ("openid profile", [true, false, false]),
            ("openid email", [false, true, false]), ("openid profile email", [true, true, false]),
            ("openid offline_access", [false, false, true]),
            ("openid profile email offline_access", [true, true, true]),
        ])
    func `the question names what is asked and nothing else`(language: String, asked: (scope: String, told: [Bool]))
        async throws
    {
        let world = try await ProviderWorld()
        let question = try await Browser(in: world).register(
            ProviderWorld.query([
                "client_id": "stranger", "redirect_uri": "stranger://callback", "scope": asked.scope,
                "ui_locales": language,
            ]))
        #expect(question.action == "/idp/consent")
        let words = try #require(Self.words[language])
        #expect(words.map { question.html.contains($0) } == asked.told)
    }

    @Test func `the form of one account gives no consent of another that signed in since`() async throws {
        let world = try await ProviderWorld()
        let grace = Browser(in: world)
        _ = try await grace.submit(
            try await grace.get("/idp/register"), ["email": "grace@example.com", "password": Browser.password])
        let browser = Browser(in: world)
        let question = try await browser.register(
            ProviderWorld.query(["client_id": "stranger", "redirect_uri": "stranger://callback"]))
        #expect(question.action == "/idp/consent" && question.html.contains("<bdi>\(Browser.email)</bdi>"))
        let other = try #require(question.html.firstMatch(of: /<a href="([^"]+)">Use another account/)).1
        let page = try await browser.get(String(other).replacing("&amp;", with: "&"))
        _ = try await browser.submit(page, ["email": "grace@example.com", "password": Browser.password])
        let again = try await browser.submit(question, ["decision": "allow"])
        #expect(again.status == 200 && again.location == nil)
        #expect(again.action == "/idp/consent" && again.html.contains("<bdi>grace@example.com</bdi>"))
        let end = try await browser.submit(again, ["decision": "allow"])
        #expect(end.location?.hasPrefix("stranger://callback?code=") == true)
    }
}
