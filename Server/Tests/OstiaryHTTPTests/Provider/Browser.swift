import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryTesting

@testable import OstiaryHTTP

/// A simulated browser: keeps cookies, submits forms as they are in the page, follows redirects within the server.
final class Browser {
    private let world: ProviderWorld
    private(set) var cookies: [String: String] = [:]
    /// The `set-cookie` values that it received, verbatim.
    private(set) var cookieLines: [String] = []
    /// The value of `Sec-Fetch-Site` that it sends with a form.
    var fetchSite = "same-origin"
    /// The host that it addresses.
    var host = "auth.example.com"
    /// The value of `Accept-Language` that it sends.
    var language: String?
    /// The console at the same origin; nil where the world has none.
    var console: Console?

    init(in world: ProviderWorld) { self.world = world }

    var now: Date { world.clock.now }

    struct Page {
        var response: ServerResponse
        var html: String { String(decoding: response.body, as: UTF8.self) }
        var status: Int { response.status }
        var location: String? { response.headers["location"] }
        /// The target of the first form.
        var action: String? { forms.first?.action }
        /// The hidden fields of the first form.
        var hidden: [String: String] { forms.first?.hidden ?? [:] }

        struct Form {
            var action: String
            var hidden: [String: String]
        }

        var forms: [Form] {
            html.components(separatedBy: "<form ").dropFirst().compactMap { text in
                let text = text.components(separatedBy: "</form>")[0]
                guard let action = text.firstMatch(of: /action="([^"]*)"/) else { return nil }
                let fields = text.matches(of: /<input type="hidden" name="([^"]*)" value="([^"]*)"/)
                return Form(
                    action: String(action.1),
                    hidden: Dictionary(fields.map { (String($0.1), Self.unescaped(String($0.2))) }) { $1 })
            }
        }

        private static func unescaped(_ text: String) -> String {
            text.replacing("&#39;", with: "'").replacing("&quot;", with: "\"").replacing("&lt;", with: "<")
                .replacing("&gt;", with: ">").replacing("&#x3D;", with: "=").replacing("&amp;", with: "&")
        }
    }

    struct Astray: Error {}

    func get(_ url: String) async throws -> Page { try await send("GET", url, nil) }

    /// Submits the form of a page.
    func submit(_ page: Page, _ fields: [String: String] = [:]) async throws -> Page {
        guard let action = page.action else { throw Astray() }
        return try await post(action, page.hidden.merging(fields) { $1 })
    }

    /// Submits the last form of a page with that target.
    func submit(_ page: Page, to action: String, _ fields: [String: String] = [:]) async throws -> Page {
        guard let form = page.forms.last(where: { $0.action == action }) else { throw Astray() }
        return try await post(action, form.hidden.merging(fields) { $1 })
    }

    func post(_ url: String, _ fields: [String: String]) async throws -> Page {
        try await post(url, form: ProviderWorld.form(fields))
    }

    func post(_ url: String, form: String) async throws -> Page { try await send("POST", url, form) }

    /// Follows redirects until a page, or until a redirect to another origin.
    func follow(_ page: Page) async throws -> Page {
        var page = page
        for _ in 0..<5 {
            guard let location = page.location, location.hasPrefix("/") else { return page }
            page = try await get(location)
        }
        throw Astray()
    }

    /// Follows a redirect within the server to one page.
    func arrive(_ page: Page) async throws -> Page {
        guard let location = page.location else { throw Astray() }
        return try await get(location)
    }

    func keep(_ name: String, _ value: String?) { cookies[name] = value }

    private func send(_ method: String, _ url: String, _ form: String?) async throws -> Page {
        let parts = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var headers = ["cookie": cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")]
        headers["host"] = host
        headers["sec-fetch-site"] = fetchSite
        headers["accept-language"] = language
        let query = parts.count > 1 ? String(parts[1]) : ""
        let response: ServerResponse
        if let console, url.hasPrefix(ConsolePath.base) {
            if form != nil { headers["content-type"] = "application/x-www-form-urlencoded" }
            let request = WireRequest(
                method: method, path: String(parts[0]), query: query, headers: headers, body: Array((form ?? "").utf8))
            response = await console.answer(request, from: Caller(address: "192.0.2.7", network: "192.0.2.7")).response
        } else {
            guard url.hasPrefix("/idp") else { throw Astray() }
            response = await world.ask(
                method, String(parts[0].dropFirst(4)), query: query, headers: headers, form: form)
        }
        for line in response.cookies.map({ $0.reveal() }) {
            cookieLines.append(line)
            let pair = line.split(separator: ";")[0].split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            cookies[String(pair[0])] = line.contains("Max-Age=0;") ? nil : String(pair[1])
        }
        return Page(response: response)
    }

    // MARK: Common steps

    static let email = "ada@example.com"
    static let password = "correct horse battery"

    /// Registers as a step of a client's request; returns the redirect with the code.
    func register(_ query: String = ProviderWorld.query()) async throws -> Page {
        let form = try await get("/idp/register?\(query)")
        let answer = try await submit(
            form, ["email": Self.email, "full_name": "Ada Lovelace", "password": Self.password])
        return try await follow(answer)
    }
}

/// Returns a parameter of a URL's query.
func parameter(_ name: String, of url: String?) -> String? {
    URLComponents(string: url ?? "")?.queryItems?.first { $0.name == name }?.value
}
