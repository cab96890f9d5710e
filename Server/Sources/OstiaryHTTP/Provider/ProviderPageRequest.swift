import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryProvider

/// A browser's request to one of the provider's pages.
struct ProviderPageRequest {
    var request: WireRequest
    let caller: Caller
    let frame: Branding
    /// The browser's cookie value, which binds its forms.
    let browser: Secret<String>
    private let isNewBrowser: Bool
    /// The browser's session at the provider, not yet checked.
    let session: Secret<String>?
    /// The client's request that the page is a step of; nil at the provider itself.
    private(set) var asked: AuthenticationRequest?

    init(_ request: WireRequest, from caller: Caller, to server: ProviderServer) {
        self.request = request
        frame = server.frame
        var caller = caller
        caller.deviceToken = DeviceCookie.value(in: request, frame: frame)
        self.caller = caller
        let known = BrowserCookie.value(in: request, frame: frame)
        browser = known ?? BrowserCookie.fresh(server.provider.engine.ports.system)
        isNewBrowser = known == nil
        session = SessionCookie.value(in: request, frame: frame)
    }

    /// The hidden field with the client's request that the form is a step of.
    static let requestField = "request"

    /// The reason that a form is refused.
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

    /// Returns the form that was sent, if it came from this server's page in this browser.
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

    /// Returns the value of the button that submitted a form; nil for a value that no button has.
    static func decision(in form: [String: String]) -> String? {
        form["decision"].flatMap { $0.utf8.count <= 32 ? $0 : nil }
    }

    /// Returns the same page request as a step of a client's request: pages then link back to it, in the language that
    /// it asks for.
    func asked(_ asked: AuthenticationRequest?) -> ProviderPageRequest {
        var browserRequest = self
        browserRequest.asked = asked
        if let asked { browserRequest.request.query = asked.query }
        return browserRequest
    }

    /// The hidden fields of a page's form.
    var hidden: [[String]] { asked.map { [[Self.requestField, $0.query]] } ?? [] }

    /// Returns a link to a page of the provider, with the client's request that it is a step of.
    func link(to page: ProviderServer.PagePath, title: String) -> HostedPage.Link {
        HostedPage.Link(url: page.path + (asked.map { "?\($0.query)" } ?? ""), title: title)
    }

    func page(_ page: HostedPage, status: Int = 200, leadingTo others: [String] = []) -> ServerResponse {
        let destinations = asked.map { [$0.redirectURI] + $0.client.leadsTo } ?? []
        let response = page.response(
            in: frame, for: request, browser: browser, status: status, leadingTo: destinations + others)
        return setting([], on: response)
    }

    /// Returns a page that reports a refusal.
    func problem(_ error: AuthError) -> ServerResponse {
        Self.addingRetryAfter(page(.problem(.refused(error)), status: Self.status(of: error)), when: error)
    }

    /// Redisplays a page whose form was refused, with the reason.
    func redisplay(_ page: HostedPage, _ error: AuthError) -> ServerResponse {
        Self.addingRetryAfter(self.page(page, status: Self.status(of: error)), when: error)
    }

    /// Redirects the browser; after a form with 303, so that the form's contents are not sent to the target.
    func redirect(to url: String, cookies: [String] = []) -> ServerResponse {
        let status = request.method == "POST" ? 303 : 302
        return setting(cookies, on: ServerResponse(status: status, headers: ["location": url]))
    }

    func setting(_ cookies: [String], on response: ServerResponse) -> ServerResponse {
        var response = response
        // Only with a page that was requested by GET: another site's form comes without the cookie that the browser
        // withholds (`SameSite`), and a new one would replace it.
        let isGiven = isNewBrowser && request.method != "POST"
        let own = isGiven ? [BrowserCookie.setting(browser, frame: frame)] : []
        response.cookies = (own + cookies).map { Secret($0) }
        response.headers["cache-control"] = "no-store"
        return response
    }

    static func addingRetryAfter(_ response: ServerResponse, when error: AuthError) -> ServerResponse {
        var response = response
        switch error {
        case .tooManyAttempts(let seconds), .proofOfWorkRequired(_, let seconds), .busy(let seconds):
            response.headers["retry-after"] = "\(seconds)"
        case .unavailable: response.headers["retry-after"] = "5"
        default: break
        }
        return response
    }

    /// Never 401, which would require an authentication challenge; the form itself serves as one.
    static func status(of error: AuthError) -> Int {
        switch error {
        case .tooManyAttempts, .deviceLinkRequired, .proofOfWorkRequired: 429
        case .busy, .unavailable: 503
        case .identifierTaken, .factorRequired, .factorLimitReached: 409
        case .notFound, .notConfigured: 404
        case .wrongCredentials, .forbidden, .missingPermission, .impersonated: 403
        default: 400
        }
    }
}
