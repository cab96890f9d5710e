import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryProvider

/// A browser at one of the provider's pages.
struct Visit {
    var request: WireRequest
    let caller: Caller
    let frame: PageFrame
    /// What the browser is known by, for forms.
    let browser: Secret<String>
    private let isNewBrowser: Bool
    /// Its session at the provider, not yet checked.
    let session: Secret<String>?
    /// What the page is a step of; nil at the provider itself.
    private(set) var asked: AuthenticationRequest?

    init(_ request: WireRequest, from caller: Caller, to server: ProviderServer) {
        self.request = request
        self.caller = caller
        frame = server.frame
        let known = BrowserCookie.value(in: request, frame: frame)
        browser = known ?? BrowserCookie.fresh(server.provider.engine.ports.surroundings)
        isNewBrowser = known == nil
        session = SessionCookie.value(in: request, frame: frame)
    }

    /// The field in which a form carries what it is a step of.
    static let requestField = "request"

    /// Why a form is not taken.
    enum Refusal: Error {
        case unreadable, otherPage

        var problem: HostedPage.Problem {
            switch self {
            case .unreadable: .malformedRequest
            case .otherPage: .formExpired
            }
        }

        var status: Int {
            switch self {
            case .unreadable: 400
            case .otherPage: 403
            }
        }
    }

    /// The form that was sent, if it came from a page of ours in this browser.
    func form() throws(Refusal) -> [String: String] {
        guard let text = ProviderParameters.text(ofFormIn: request), let form = ProviderParameters.read(text) else {
            throw .unreadable
        }
        guard
            FormGuard.accepts(
                request, form: FormValues(text), browser: isNewBrowser ? nil : browser, frame: frame)
        else { throw .otherPage }
        return form
    }

    /// The same visit as a step of a client's request: pages then lead back to it, in the language it asks for.
    func asked(_ asked: AuthenticationRequest?) -> Visit {
        var visit = self
        visit.asked = asked
        if let asked { visit.request.query = asked.query }
        return visit
    }

    /// What a form of a page carries along.
    var hidden: [[String]] { asked.map { [[Self.requestField, $0.query]] } ?? [] }

    /// A page of the provider, with the request that it is a step of.
    func link(to page: ProviderServer.PagePath, title: String) -> HostedPage.Link {
        HostedPage.Link(url: page.path + (asked.map { "?\($0.query)" } ?? ""), title: title)
    }

    func page(_ page: HostedPage, status: Int = 200, leadingTo others: [String] = []) -> WireResponse {
        let destinations = asked.map { [$0.redirectURI] + $0.client.leadsTo } ?? []
        let response = page.response(
            in: frame, for: request, browser: browser, status: status, leadingTo: destinations + others)
        return setting([], on: response)
    }

    /// A page that says what went wrong.
    func problem(_ error: AuthError) -> WireResponse {
        Self.telling(page(.problem(.refused(error)), status: Self.status(of: error)), when: error)
    }

    /// A page whose form is shown again, with what is wrong with it.
    func again(_ page: HostedPage, _ error: AuthError) -> WireResponse {
        Self.telling(self.page(page, status: Self.status(of: error)), when: error)
    }

    /// Sends the browser on; after a form with 303, so that what it held is not sent there.
    func redirect(to url: String, cookies: [String] = []) -> WireResponse {
        let status = request.method == "POST" ? 303 : 302
        return setting(cookies, on: WireResponse(status: status, headers: ["location": url]))
    }

    func setting(_ cookies: [String], on response: WireResponse) -> WireResponse {
        var response = response
        // Only with a page that was asked for: a form of another site comes without the cookie that the browser keeps back
        // (`SameSite`), and a new one would take its place.
        let isGiven = isNewBrowser && request.method != "POST"
        let all = (isGiven ? [BrowserCookie.setting(browser, frame: frame)] : []) + cookies
        if !all.isEmpty { response.headers["set-cookie"] = all.joined(separator: "\n") }
        response.headers["cache-control"] = "no-store"
        return response
    }

    private static func telling(_ response: WireResponse, when error: AuthError) -> WireResponse {
        var response = response
        switch error {
        case .tooManyAttempts(let seconds), .busy(let seconds): response.headers["retry-after"] = "\(seconds)"
        case .unavailable: response.headers["retry-after"] = "5"
        default: break
        }
        return response
    }

    /// Never 401, which would have to say how to authenticate, and that a form does already.
    private static func status(of error: AuthError) -> Int {
        switch error {
        case .tooManyAttempts: 429
        case .busy, .unavailable: 503
        case .identifierTaken: 409
        case .notFound, .notConfigured: 404
        case .wrongCredentials, .forbidden: 403
        default: 400
        }
    }
}
