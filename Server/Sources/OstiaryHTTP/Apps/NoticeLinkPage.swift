import OstiaryContracts
import OstiaryCore
import OstiaryEngine

/// The page that the link of a security notice leads to, with one button.
///
/// Link scanners open every link, and some send a form's address without its fields: only a form of this page, in the
/// browser that it was made for, redeems the token.
struct NoticeLinkPage: AppPage {
    let link: NoticeLink

    func answer(_ request: WireRequest, app: AppServer, from caller: Caller) async -> ServerResponse {
        let known = BrowserCookie.value(in: request, frame: app.frame)
        let engine = app.engine.serving(caller)
        switch request.method {
        case "GET", "HEAD":
            let browser = known ?? BrowserCookie.fresh(engine.ports.system)
            var response = await open(request, app, engine, browser)
            if known == nil { response.cookies = [Secret(BrowserCookie.setting(browser, frame: app.frame))] }
            return response
        case "POST":
            let form = FormValues(String(decoding: request.body, as: UTF8.self))
            guard FormGuard.accepts(request, form: form, browser: known, frame: app.frame) else {
                return HostedPage.problem(.formExpired).response(
                    in: app.frame, for: request, browser: nil, status: 403)
            }
            return await redeem(form, request, app, engine)
        default:
            return ServerResponse(status: 405, headers: ["allow": "GET, HEAD, POST"])
        }
    }

    private func open(
        _ request: WireRequest, _ app: AppServer, _ engine: AuthEngine, _ browser: Secret<String>
    ) async -> ServerResponse {
        let query = FormValues(request.query)
        guard !query.hasRepeats else { return refuse(.malformedRequest, request, app) }
        let token = query["token"] ?? ""
        // Relative, so that it works under any base of the app.
        let form = PageForm(action: String(link.rawValue.dropFirst()), hidden: [["token", token]])
        do throws(AuthError) {
            return try await link.page(of: Secret(token), with: form, in: engine)
                .response(in: app.frame, for: request, browser: browser)
        } catch {
            return refuse(error, request, app)
        }
    }

    private func redeem(
        _ form: FormValues, _ request: WireRequest, _ app: AppServer, _ engine: AuthEngine
    ) async -> ServerResponse {
        guard !form.hasRepeats else { return refuse(.malformedRequest, request, app) }
        do throws(AuthError) {
            return try await link.redeem(Secret(form["token"] ?? ""), in: engine)
                .response(in: app.frame, for: request, browser: nil)
        } catch {
            return refuse(error, request, app)
        }
    }

    private func refuse(_ error: AuthError, _ request: WireRequest, _ app: AppServer) -> ServerResponse {
        let refusal = ServerResponse(app.codec.write(error))
        return link.page(of: error).response(in: app.frame, for: request, browser: nil, status: refusal.status)
            .taking(refusal)
    }
}

extension AppServer {
    /// Returns the page of a notice's link, if it is at that path and the app has it.
    func noticeLinkPage(at path: String) -> NoticeLinkPage? {
        guard let link = NoticeLink(rawValue: path), link.exists(in: engine.app) else { return nil }
        return NoticeLinkPage(link: link)
    }
}
