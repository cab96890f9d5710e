import OstiaryContracts
import Testing

@testable import OstiaryHTTP

struct PageColorTests {
    private static let papers = [PageColor.white, PageColor("1c1f25")].compactMap { $0 }

    @Test(arguments: [
        "1f5fd0", "f2b705", "ffffff", "000000", "777777", "ff0000", "00ff00", "0000ff", "767676", "7f7f80",
    ])
    func `can be read on its buttons and as a link, light and dark`(hex: String) throws {
        let color = try #require(PageColor(hex))
        #expect(color.contrast(with: color.ink) >= 4.5)
        for paper in Self.papers {
            #expect(color.legible(on: paper).contrast(with: paper) >= 4.5)
            #expect(color.legible(on: paper, contrast: 3).contrast(with: paper) >= 3)
        }
    }

    @Test func `stays as it is where it can be read`() throws {
        let color = try #require(PageColor("#1f5fd0"))
        #expect(color.legible(on: .white) == color)
        #expect(color.hex == "1f5fd0")
    }

    @Test func `is measured as WCAG does`() throws {
        #expect(PageColor.white.contrast(with: .black) == 21)
        let gray = try #require(PageColor("767676"))
        #expect(abs(gray.contrast(with: .white) - 4.54) < 0.01)
    }

    @Test(arguments: [
        "", "#", "fff", "#fff", "1f5fd", "1f5fd00", "##1f5fd", "1f5fdg", "red", "1f5fd0;}", "١f5fd0", " 1f5fd0",
    ])
    func `is six hexadecimal digits`(text: String) {
        #expect(PageColor(text) == nil)
    }
}

struct PageAssetsTests {
    private func get(_ path: String, query: String = "", known: String? = nil) -> ServerResponse? {
        var request = WireRequest(method: "GET", path: path, query: query)
        request.headers["if-none-match"] = known
        return PageAssets.response(to: request)
    }

    @Test func `serves the sheet in the app's colour, and in ours for anything that is none`() throws {
        var frame = PageSample.frame
        #expect(StyleSheet.path(for: frame) == "/assets/ostiary.css")
        frame.color = "#F2B705"
        #expect(StyleSheet.path(for: frame) == "/assets/ostiary.css?color=f2b705")
        let own = String(decoding: try #require(get("/assets/ostiary.css", query: "color=f2b705")).body, as: UTF8.self)
        #expect(own.contains("--accent: #f2b705; --on-accent: #000000;"))
        let ours = try #require(get("/assets/ostiary.css"))
        for query in ["color=red", "color=%3B%7D%20body%7B", "color=f2b705&color=f2b705", "colour=f2b705"] {
            #expect(get("/assets/ostiary.css", query: query)?.body == ours.body)
        }
    }

    @Test(arguments: PageSample.all()) func `has everything that a page loads`(sample: PageSample) throws {
        var frame = PageSample.frame
        frame.color = "#f2b705"
        for match in sample.html(in: frame).matches(of: /(?:src|srcset|href)="(\/assets\/[^"?]*)/) {
            let asset = try #require(get(String(match.1)), "\(match.1)")
            #expect(asset.headers["cache-control"] == "public, max-age=300")
            #expect(asset.headers["cross-origin-resource-policy"] == "same-origin")
            #expect(!asset.body.isEmpty)
        }
    }

    @Test func `gives each brand its button`() throws {
        let html = try #require(PageSample.all().first { $0.name == "choose-provider" }).html()
        for (style, text) in [
            ("google", "Sign in with Google"), ("apple", "Sign in with Apple"), ("github", "Sign in with GitHub"),
            ("plain", "Continue with Nordwind"),
        ] {
            let button = try Regex("<a class=\"choice \(style)\" href=\"[^\"]+\">.*<span>\(text)</span></a>")
            #expect(html.contains(button))
        }
        #expect(html.matches(of: /<picture>/).count == 3)
    }

    @Test func `is not sent again to a browser that has it`() throws {
        for path in ["/assets/ostiary.css", "/assets/ostiary.js", "/assets/passkeys.js", "/assets/google.svg"] {
            let tag = try #require(get(path)?.headers["etag"])
            #expect(tag.wholeMatch(of: /"[A-Za-z0-9_-]{22}"/) != nil)
            for known in [tag, "W/\(tag)", "\"x\", \(tag)"] {
                let again = get(path, known: known)
                #expect(again?.status == 304 && again?.body.isEmpty == true && again?.headers["etag"] == tag)
            }
            for other in ["\"x\"", "*", tag.lowercased() + "x", String(repeating: ",", count: 10_000), ""] {
                #expect(get(path, known: other)?.status == 200)
            }
        }
        let own = get("/assets/ostiary.css", query: "color=f2b705")
        #expect(own?.headers["etag"] != get("/assets/ostiary.css")?.headers["etag"])
    }

    @Test(arguments: ["/assets/", "/assets/ostiary", "/assets/ostiary.css/", "/assets/../x", "/assets/apple.svg"])
    func `has nothing else`(path: String) {
        #expect(get(path) == nil)
    }
}
