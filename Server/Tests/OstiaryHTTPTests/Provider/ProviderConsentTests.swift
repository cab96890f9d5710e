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
}
