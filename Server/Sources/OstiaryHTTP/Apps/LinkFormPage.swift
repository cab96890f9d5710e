import OstiaryContracts
import OstiaryCore
import OstiaryEngine

/// A page with a form that a mailed link leads to.
///
/// Opening it redeems nothing, since mail scanners open every link, and some send a form's address without its fields: only a
/// form of this page, in the browser that it was made for, is taken.
protocol LinkFormPage: AppPage {
    /// Returns the page with its form, or with the reason for which there is none.
    func open(
        _ request: WireRequest, _ app: AppServer, _ caller: Caller, _ browser: Secret<String>
    ) async -> ServerResponse

    /// Answers a form that a browser sent from this page.
    func take(
        _ form: FormValues, _ request: WireRequest, _ app: AppServer, _ caller: Caller, _ browser: Secret<String>
    ) async -> ServerResponse
}

extension LinkFormPage {
    func answer(_ request: WireRequest, app: AppServer, from caller: Caller) async -> ServerResponse {
        let known = BrowserCookie.value(in: request, frame: app.frame)
        switch request.method {
        case "GET", "HEAD":
            let browser = known ?? BrowserCookie.fresh(app.engine.ports.system)
            var response = await open(request, app, caller, browser)
            if known == nil { response.cookies = [Secret(BrowserCookie.setting(browser, frame: app.frame))] }
            return response
        case "POST":
            let form = FormValues(String(decoding: request.body, as: UTF8.self))
            guard let browser = known, FormGuard.accepts(request, form: form, browser: browser, frame: app.frame) else {
                return HostedPage.problem(.formExpired).response(
                    in: app.frame, for: request, browser: nil, status: 403)
            }
            return await take(form, request, app, caller, browser)
        default:
            return ServerResponse(status: 405, headers: ["allow": "GET, HEAD, POST"])
        }
    }
}
