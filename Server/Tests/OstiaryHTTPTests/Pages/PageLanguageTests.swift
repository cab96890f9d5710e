import OstiaryContracts
import OstiaryCore
import Testing

@testable import OstiaryHTTP

struct PageLanguageTests {
    private func language(_ accept: String?, query: String = "") -> String {
        var request = WireRequest(method: "GET", path: "/", query: query)
        request.headers["accept-language"] = accept
        return PageLanguage.texts(for: request).language
    }

    @Test(
        arguments: [
            (nil, "en"), ("", "en"), ("de", "de"), ("DE", "de"), ("de-AT", "de"), ("de-DE,de;q=0.9,en;q=0.8", "de"),
            ("en-GB,en;q=0.9,de;q=0.8", "en"), ("en;q=0.1,de;q=0.2", "de"), ("en;q=0.2, de ; q=0.25", "de"),
            ("fr,de;q=0.5", "de"), ("fr", "en"), ("*", "en"), ("de;q=0", "en"), ("de;q=0,de-AT;q=0.5", "de"),
            ("den", "en"), ("de_AT", "en"), ("de;q=1.001", "en"), ("de;q=2", "en"), ("de;q=-1", "en"), ("de;q=x", "en"),
            ("de;q=0.0001", "en"), ("de;q=", "en"), ("de;q=1.000", "de"), ("de;q=0.001", "de"), (";q=1,,;,de", "de"),
            ("en;q=0.5,de;q=0.5", "en"), ("de;q=0.5,en;q=0.5", "de"), ("\u{1F600},de", "de"),
        ] as [(String?, String)])
    func `is what the browser's owner reads best`(accept: String?, language: String) {
        #expect(self.language(accept) == language)
    }

    @Test(arguments: [
        ("ui_locales=de", "de"), ("ui_locales=fr%20de-CH%20en", "de"), ("ui_locales=fr+de", "de"),
        ("ui_locales=fr", "en"),
        ("ui_locales=", "en"), ("ui_locales=de&ui_locales=de", "en"), ("ui_locales=%FF", "en"), ("ui_locales=DE", "de"),
    ])
    func `is what the app asks for, above what the browser says`(query: String, language: String) {
        #expect(self.language("en", query: query) == language)
    }

    @Test func `is found in bounded time, however long the list`() {
        #expect(language(String(repeating: "fr,", count: 100_000) + "de") == "en")
        #expect(language(String(repeating: ",", count: 100_000)) == "en")
        #expect(language(nil, query: "ui_locales=" + String(repeating: "fr+", count: 100_000) + "de") == "en")
    }

    @Test(arguments: PageSample.all(), ["en", "de"])
    func `holds for the whole page`(sample: PageSample, language: String) {
        let html = sample.html(language: language)
        #expect(html.contains("<html lang=\"\(language)\">"))
        let other = language == "en" ? "de" : "en"
        #expect(html != sample.html(language: other))
    }

    @Test(arguments: ["en", "de"]) func `has a text of its own for every refusal`(language: String) throws {
        let texts = try #require(PageLanguage.all.first { $0.language == language })
        let other = try #require(PageLanguage.all.first { $0.language != language })
        for error in Self.refusals {
            let text = texts.text(of: error)
            #expect(!text.isEmpty && text.last.map { ".0123456789m".contains($0) } == true, "\(error.code)")
            #expect(text != other.text(of: error), "\(error.code)")
        }
    }

    /// Every refusal and every problem of a field: one for each code.
    private static let refusals: [AuthError] =
        [
            .malformedRequest, .wrongCredentials, .invalidAccessToken, .sessionRevoked, .accountDisabled,
            .refreshTokenInvalid, .refreshTokenReused, .refreshTokenExpired, .refreshTokenRevoked, .codeRefused,
            .resetTokenRefused, .authorizationRefused, .redirectURIRefused, .identityTokenInvalid,
            .challengeRequired(Challenge(name: "X", token: Secret("x"))), .forbidden, .notFound, .confirmationRequired,
            .registrationTokenRefused, .identifierTaken, .tooManyAttempts(retryAfterSeconds: 1), .deviceLinkRequired,
            .tooManyAttempts(retryAfterSeconds: 61), .tooManyAttempts(retryAfterSeconds: 3600),
            .busy(retryAfterSeconds: 1), .notConfigured, .unavailable(incident: "1"), .unavailable(incident: nil),
            .rejected(status: 400, message: "x"),
        ]
        + [
            FieldProblem.missing, .mistyped, .malformed, .tooShort(minimum: 8), .tooLong(maximum: 72), .tooCommon,
            .compromised,
            .containsIdentifier, .notSupported,
        ].flatMap { problem in [Field.email, .password, .newPassword, .fullName].map { .invalid($0, problem) } }

    @Test(arguments: [
        ("text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8", true), ("text/html", true),
        ("*/*", false), ("", false), ("application/json", false), ("application/json, text/html", false),
        ("text/html;q=0.9, application/json;q=0.5", true), ("text/html;q=0.5, */*;q=0.8", false),
        ("text/html, application/*", false), ("text/html;q=0", false), ("text/*", false),
    ])
    func `a page is for who asks for pages rather than JSON`(accept: String, isPage: Bool) {
        var request = WireRequest(method: "GET", path: "/")
        request.headers["accept"] = accept
        #expect(request.prefersPage == isPage)
    }
}
