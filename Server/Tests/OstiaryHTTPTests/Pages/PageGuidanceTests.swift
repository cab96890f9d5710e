import Foundation
import OstiaryContracts
import OstiaryCore
import Testing

@testable import OstiaryHTTP

/// A page states a problem at the field that it concerns, for sighted users and for screen readers, and the next step.
struct PageGuidanceTests {
    @Test func `names the field of a refusal above the form, and tells the reason at the field`() throws {
        let html = try #require(PageSample.all().first { $0.name == "register-refused" }).html()
        let text = HTML.escape(EnglishTexts().text(of: .invalid(.password, .tooCommon)))
        #expect(html.contains("<div role=\"alert\" class=\"notice\" id=\"notice\"><h2>"))
        #expect(html.contains("<a href=\"#password\">Check the field “Password”.</a>"))
        #expect(html.matches(of: try Regex(NSRegularExpression.escapedPattern(for: text))).count == 1)
        #expect(html.contains("<p class=\"complaint\" id=\"password-problem\">\(text)</p>"))
        #expect(html.contains("aria-describedby=\"notice password-problem password-hint\" aria-invalid=\"true\""))
        #expect(html.matches(of: #/ autofocus/#).count == 1)
        #expect(html.contains("<title>Error: Create an account · "))
    }

    @Test(arguments: [("sign-in-refused", "password"), ("forgot-password-refused", "email")])
    func `describes the field that has the cursor by a refusal that is about none`(name: String, field: String) throws {
        let sample = try #require(PageSample.all().first { $0.name == name })
        let html = sample.html()
        let input = try #require(html.firstMatch(of: #/<input [^>]* autofocus[^>]*>/#)).0
        #expect(input.contains("id=\"\(field)\"") && input.contains(" aria-describedby=\"notice\""))
        #expect(html.matches(of: #/aria-describedby="notice/#).count == 1)
        #expect(sample.html(language: "de").contains("<title>Fehler: "))
    }

    @Test(arguments: ["en", "de"]) func `names the button beside a password by what stands on it`(language: String)
        throws
    {
        let html = try #require(PageSample.all().first { $0.name == "sign-in" }).html(language: language)
        let reveal = try #require(
            html.firstMatch(
                of: #/data-show="([^"]+)" data-hide="([^"]+)" data-show-name="([^"]+)" data-hide-name="([^"]+)"/#))
        #expect(reveal.3.lowercased().contains(reveal.1.lowercased()))
        #expect(reveal.4.lowercased().contains(reveal.2.lowercased()))
        #expect(reveal.3 != reveal.4 && !PageScript.text.contains("aria-pressed"))
    }

    @Test(arguments: PageSample.all()) func `marks an end that is a problem, and no other page`(sample: PageSample) {
        let isProblem =
            sample.name.hasPrefix("problem-") || sample.name.hasSuffix("-over") || sample.name.hasSuffix("-expired")
            || sample.name.hasSuffix("-over-in-app")
        #expect(sample.html().contains("<svg class=\"sign problem\"") == isProblem)
    }

    @Test func `says where a person can go on`() throws {
        let samples = PageSample.all()
        for (name, words) in [
            ("registration-sent", "Back to sign in"), ("forgot-password", "Back to sign in"),
            ("forgot-password-refused", "Back to sign in"), ("forgot-password-sent", "Back to sign in"),
            ("password-changed", "Sign in"), ("reset-over", "Ask for a new link"),
            ("problem-away", "Choose another way to sign in"), ("consent", "Use another account"),
            ("confirm-sign-in", "Use another account"),
        ] {
            let html = try #require(samples.first { $0.name == name }).html()
            #expect(html.contains(">\(words)</a>"), "\(name)")
        }
        let inTheApp = try #require(samples.first { $0.name == "registration-over" }).html()
        #expect(
            inTheApp.contains("in the app") && !inTheApp.contains("<form") && !inTheApp.contains("class=\"button\""))
    }

    @Test func `keeps the address that a link was asked for`() throws {
        let html = try #require(PageSample.all().first { $0.name == "forgot-password-refused" }).html()
        #expect(html.contains("name=\"email\" type=\"email\" value=\"josephine@example.com\""))
    }

    @Test func `never shows a password again`() throws {
        let html = try #require(PageSample.all("typed").first { $0.name == "register-refused" }).html()
        #expect(html.contains("id=\"password\" name=\"password\" type=\"password\" value=\"\""))
    }

    @Test func `tells the language of a message from that of the page`() async throws {
        var request = PageSample.request
        request.headers["accept-language"] = "de"
        let inbox = InboxPage(inbox: PreparedInbox([PreparedInbox.code, PreparedInbox.reset]))
        let html = String(decoding: await inbox.answer(request).body, as: UTF8.self)
        #expect(html.contains("<html lang=\"de\">"))
        #expect(html.matches(of: #/<pre lang="en">/#).count == 2)
        // The replacement for the subject of a text message is in the page's own language.
        #expect(html.contains("<h2>SMS</h2>") && html.matches(of: #/<h2 lang="en">/#).count == 1)
    }
}
