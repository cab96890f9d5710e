import Foundation
import OstiaryContracts
import OstiaryCore
import Testing

@testable import OstiaryHTTP

/// Untrusted text appears on a page as text, at every place.
struct PageRenderingTests {
    /// Attack rows AD-14 and AD-15.
    static let hostile = [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onfocus='alert(1)' autofocus x='",
        "</title><script>alert(1)</script>", "</textarea><svg onload=alert(1)>", "javascript:alert(1)",
        "{{7*7}}", "{{{language}}}", "{{&language}}", "{{#form}}x{{/form}}", "{{>page}}", "{{% CONTENT_TYPE:TEXT}}",
        "#{7*7}", "${7*7}", "<%= 7*7 %>", "&lt;b&gt;", "\u{0}\"><b>",
        // One Character each together with the preceding character.
        "\"\u{301} onfocus=alert(1) x=\"\u{301}", "<\u{338}script>", "'\u{200D}><b>", "<b\u{301}>",
    ]

    @Test(arguments: hostile) func `shows a value as the text that it is`(text: String) throws {
        // An element begins with "<" and a letter or "/", so counting those finds every injected one.
        let plain = PageSample.all("plain"), samples = PageSample.all(text)
        var frame = PageSample.frame
        frame.name = text
        for (sample, ordinary) in zip(samples, plain) {
            let html = sample.html(in: frame)
            #expect(Self.elements(of: html) == Self.elements(of: ordinary.html()), "\(sample.name)")
            #expect(Self.attributes(of: html) == Self.attributes(of: ordinary.html()), "\(sample.name)")
        }
    }

    @Test(arguments: hostile) func `keeps a value to the byte`(text: String) throws {
        let page = HostedPage.signIn(HostedPage.SignIn(form: PageForm(action: "/x", hidden: [["request", text]])))
        let html = PageSample(name: "sign-in", page: page).html()
        #expect(html.contains("name=\"request\" value=\"\(HTML.escape(text))\""))
    }

    @Test(arguments: hostile) func `shows a message of the development inbox as text`(text: String) async throws {
        func elements(_ text: String) async -> [String] {
            let message = InboxMessage(
                id: text, app: text, channel: "email", to: text, subject: text, text: text, code: text, link: text,
                sentAt: text)
            let response = await InboxPage(inbox: PreparedInbox([message])).answer(PageSample.request)
            return Self.elements(of: String(decoding: response.body, as: UTF8.self))
        }
        #expect(await elements(text) == elements("plain"))
    }

    @Test(arguments: [
        "javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x", "vbscript:x", " javascript:x", "x y",
    ])
    func `links to nothing that makes the browser do something`(url: String) {
        let page = HostedPage.signedOut(continuing: HostedPage.Link(url: url, title: "x"))
        let html = PageSample(name: "signed-out", page: page).html()
        #expect(html.contains("<a class=\"button\" href=\"#\">"))
    }

    @Test(arguments: ["https://app.example.com/x?y=z", "timetracker://oauth/callback", "/idp/register?x=1", "?x=1"])
    func `links to where an app may be`(url: String) {
        let page = HostedPage.signedOut(continuing: HostedPage.Link(url: url, title: "x"))
        let html = PageSample(name: "signed-out", page: page).html()
        #expect(html.contains("<a class=\"button\" href=\"\(HTML.escape(url))\">"))
    }

    @Test func `escapes everything: the template has no value in the raw`() {
        #expect(!PageTemplate.text.contains("{{{"))
        #expect(!PageTemplate.text.contains("{{&"))
        // A partial would be escaped by the library's rules.
        #expect(!PageTemplate.text.contains("{{>"))
    }

    @Test(arguments: PageSample.all()) func `is a whole document with one heading and one title`(sample: PageSample) {
        let html = sample.html()
        #expect(html.hasPrefix("<!doctype html>\n<html lang=\"en\">"))
        #expect(html.hasSuffix("</html>\n"))
        #expect(html.matches(of: #/<h1>[^<]+<\/h1>/#).count == 1)
        #expect(html.matches(of: #/<title>[^<]+ · Nordwind<\/title>/#).count == 1)
        #expect(html.matches(of: #/<main>/#).count == 1)
        #expect(!html.contains("style="))
        let scripts = html.contains("data-passkey") ? 2 : 1
        #expect(html.matches(of: #/<script src="[^"]+" defer><\/script>/#).count == scripts)
        #expect(html.matches(of: #/<script/#).count == scripts)
        #expect(html.contains("<script src=\"/assets/ostiary.js\" defer></script>"))
    }

    @Test(arguments: PageSample.all()) func `names every field, and says what each is for`(sample: PageSample) throws {
        let html = sample.html()
        for input in html.matches(of: #/<input (?!type="hidden")[^>]*>/#).map({ String($0.0) }) {
            let id = try #require(input.firstMatch(of: #/ id="([a-z_]+)"/#)).1
            #expect(html.contains("<label for=\"\(id)\">"))
            #expect(input.firstMatch(of: #/ autocomplete="[a-z -]+"/#) != nil)
            if let described = input.firstMatch(of: #/ aria-describedby="([^"]+)"/#) {
                for id in described.1.split(separator: " ") { #expect(html.contains("id=\"\(id)\"")) }
            }
        }
    }

    @Test func `says where it is a development server, and nowhere else`() {
        var frame = PageSample.frame
        #expect(!PageSample.all()[0].html(in: frame).contains("/dev/inbox"))
        frame.isDevelopment = true
        let html = PageSample.all()[0].html(in: frame)
        #expect(html.contains("Development server</span> <a href=\"/dev/inbox\">"))
    }

    @Test(arguments: PageSample.all()) func `holds the browser's token in each of its forms`(sample: PageSample) {
        let html = sample.html()
        let token = FormGuard.token(for: PageSample.browser, keys: PageSample.keys)
        let forms = html.matches(of: #/<form /#).count
        #expect(
            html.matches(of: #/name="form_token" value="([^"]+)"/#).map { String($0.1) }
                == Array(repeating: token, count: forms))
    }

    // MARK: Reading
    //
    // By scalar, as browsers do: as a Character, a quote that a combining character follows is not a quote.

    private static func elements(of html: String) -> [String] {
        html.matches(of: #/<[\/!]?[a-zA-Z][^\s>]*/#.matchingSemantics(.unicodeScalar)).map { String($0.0) }
    }

    /// Returns the attributes' names, in order.
    private static func attributes(of html: String) -> [String] {
        let tag = #/<[a-zA-Z](?:[^>"]|"[^"]*")*>/#.matchingSemantics(.unicodeScalar)
        let value = #/"[^"]*"/#.matchingSemantics(.unicodeScalar)
        let name = #/\s([^\s=>]+)/#.matchingSemantics(.unicodeScalar)
        return html.matches(of: tag).flatMap { match in
            String(match.0).replacing(value, with: "\"\"").matches(of: name).map { String($0.1) }
        }
    }
}
