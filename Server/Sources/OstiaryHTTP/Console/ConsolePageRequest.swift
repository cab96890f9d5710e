import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryEngine

/// A browser's request to the console, of a person who may not be signed in.
struct ConsolePageRequest {
    let request: WireRequest
    let caller: Caller
    let console: Console
    let frame: Branding
    let texts: any ConsoleTexts
    let query: ConsoleQuery

    init(_ request: WireRequest, from caller: Caller, to console: Console) {
        self.request = request
        self.caller = caller
        self.console = console
        var frame = console.frame
        frame.isSecure = console.settings.isSecure(authority: request.headers["host"])
        self.frame = frame
        texts = ConsoleLanguage.texts(for: request)
        query = ConsoleQuery(request.query)
    }

    /// The redirect URI at the origin that the browser has opened; the provider compares it with the registered ones.
    var redirectURI: String { frame.origin(of: request) + ConsolePath.callback.path }

    /// The path and query of the request.
    var target: String { request.query.isEmpty ? request.path : "\(request.path)?\(request.query)" }

    /// `true` for a page that a link of another site opened. Source: W3C Fetch Metadata §2.2.
    var isFromAnotherSite: Bool {
        request.method != "POST" && ["cross-site", "same-site"].contains(request.headers["sec-fetch-site"] ?? "")
    }

    func view(_ heading: String) -> ConsoleView {
        ConsoleView(
            language: texts.language, title: "\(heading) · \(frame.name)", brand: frame.name,
            initial: frame.name.unicodeScalars.first.map { String($0).uppercased() } ?? "", heading: heading,
            words: texts.words,
            development: frame.isDevelopment
                ? ConsoleView.Development(developmentText: texts.developmentServer) : nil)
    }

    func response(_ view: ConsoleView, status: Int = 200, cookies: [Secret<String>] = []) -> ServerResponse {
        var response = ServerResponse(
            status: status,
            headers: [
                "content-type": "text/html; charset=utf-8", "content-language": texts.language,
                "content-security-policy": policy(hasForms: view.frame != nil).text, "x-frame-options": "DENY",
                "cross-origin-opener-policy": "same-origin",
            ], body: Array(ConsoleTemplate.render(view).utf8))
        response.cookies = cookies
        return response
    }

    /// A form may lead to the provider, for a step-up. Source: CSP Level 3 §6.4.2 (form-action).
    private func policy(hasForms: Bool) -> PagePolicy {
        PagePolicy(hasForms: hasForms, leadingTo: [console.settings.providerOrigin])
    }

    /// Returns a page that leads to another page of the console at once, and has a link to it.
    func forward(to target: String) -> ServerResponse {
        var view = view(texts.signedIn)
        view.forward = ConsoleView.Forward(forwardURL: target, forwardText: texts.proceed)
        return response(view)
    }

    /// Returns a page outside a session.
    func outcome(
        _ outcome: Outcome, status: Int = 200, link: ConsoleView.Link? = nil, cookies: [Secret<String>] = []
    ) -> ServerResponse {
        var view = view(outcome.heading)
        view.blocks = outcome.paragraphs.enumerated().map { ConsoleView.Block("part-\($0.offset)", note: $0.element) }
        if let link {
            var block = view.blocks.popLast() ?? ConsoleView.Block("part")
            block.actions = ConsoleView.Actions(
                actionLinks: [
                    ConsoleView.ActionLink(actionURL: link.linkURL, actionText: link.linkText, isPrimary: true)
                ])
            view.blocks.append(block)
        }
        return response(view, status: status, cookies: cookies)
    }

    /// Returns the page for an unexpected failure, after logging its cause.
    func failure(_ error: any Error) -> ServerResponse {
        var seconds = 5
        let problem: Outcome
        switch error {
        case AuthError.busy(let retryAfter), AuthError.tooManyAttempts(let retryAfter):
            seconds = retryAfter
            problem = texts.unavailable(incident: nil)
        case AuthError.unavailable(let incident): problem = texts.unavailable(incident: incident)
        default: problem = texts.unavailable(incident: console.server.report(error))
        }
        var response = outcome(problem, status: 503)
        response.headers["retry-after"] = "\(seconds)"
        return response
    }
}
