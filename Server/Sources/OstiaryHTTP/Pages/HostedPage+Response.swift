import OstiaryContracts
import OstiaryCore
import OstiaryEngine

extension HostedPage {
    /// Returns the page as a response, in the language of the request (`ui_locales` in its query, else
    /// `Accept-Language`).
    ///
    /// - Parameters:
    ///   - browser: The browser that the forms are bound to, from ``BrowserCookie``; nil only for a page without forms.
    ///   - leadingTo: The targets to which the forms' actions may redirect: browsers follow a form's redirect only to
    ///     targets that the page's policy allows. URIs are reduced to their origin (`https://app.example.com`) or
    ///     scheme (`app:`).
    func response(
        in frame: Branding, for request: WireRequest, browser: Secret<String>?, status: Int = 200,
        leadingTo: [String] = []
    ) -> ServerResponse {
        let token = browser.map { FormGuard.token(for: $0, keys: frame.keys) }
        let view = PageView(self, in: frame, texts: PageLanguage.texts(for: request), token: token)
        var response = view.response(
            status: status,
            policy: PagePolicy(
                hasForms: view.hasForms, hasRequests: view.passkey?.passkeyForm != nil, leadingTo: leadingTo))
        // Going back in the history must show no cached page.
        if case .signedOut = self { response.headers["clear-site-data"] = "\"cache\"" }
        return response
    }
}

extension PageView {
    /// `true` if something on the page can be submitted.
    fileprivate var hasForms: Bool {
        form != nil || choice != nil || passkey?.passkeyForm != nil
            || sections.contains { $0.list?.rows.contains { $0.rowForm != nil } ?? false }
    }

    func response(status: Int, policy: PagePolicy) -> ServerResponse {
        ServerResponse(
            status: status,
            headers: [
                "content-type": "text/html; charset=utf-8", "content-language": language,
                "content-security-policy": policy.text, "x-frame-options": "DENY",
                "cross-origin-opener-policy": "same-origin",
            ], body: Array(PageTemplate.render(self).utf8))
    }
}
