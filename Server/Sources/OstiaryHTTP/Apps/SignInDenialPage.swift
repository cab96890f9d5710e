import OstiaryContracts
import OstiaryCore
import OstiaryEngine

/// The page "This was not me", which the link of a notice about a sign-in leads to, with one button: see decision 79.
///
/// Link scanners open every link, and some send a form's address without its fields: only a form of this page, in the
/// browser that it was made for, redeems the token.
struct SignInDenialPage {
    static let path = "/deny-sign-in"

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
            guard FormGuard.accepts(request, form: form, browser: known, frame: app.frame) else {
                return HostedPage.problem(.formExpired).response(
                    in: app.frame, for: request, browser: nil, status: 403)
            }
            return await deny(form, request, app, caller)
        default:
            return ServerResponse(status: 405, headers: ["allow": "GET, HEAD, POST"])
        }
    }

    private func open(
        _ request: WireRequest, _ app: AppServer, _ caller: Caller, _ browser: Secret<String>
    ) async -> ServerResponse {
        let query = FormValues(request.query)
        guard !query.hasRepeats else { return refuse(.malformedRequest, request, app) }
        let token = query["token"] ?? ""
        do throws(AuthError) {
            let time = try await app.engine.serving(caller).signIn(deniedBy: Secret(token))
            // Relative, so that it works under any base of the app.
            let form = PageForm(action: String(Self.path.dropFirst()), hidden: [["token", token]])
            return HostedPage.denySignIn(form, at: time).response(in: app.frame, for: request, browser: browser)
        } catch {
            return refuse(error, request, app)
        }
    }

    private func deny(
        _ form: FormValues, _ request: WireRequest, _ app: AppServer, _ caller: Caller
    ) async -> ServerResponse {
        guard !form.hasRepeats else { return refuse(.malformedRequest, request, app) }
        do throws(AuthError) {
            let isResetSent = try await app.engine.serving(caller).denySignIn(Secret(form["token"] ?? ""))
            return HostedPage.signInDenied(isResetSent: isResetSent).response(
                in: app.frame, for: request, browser: nil)
        } catch {
            return refuse(error, request, app)
        }
    }

    private func refuse(_ error: AuthError, _ request: WireRequest, _ app: AppServer) -> ServerResponse {
        let refusal = ServerResponse(app.codec.write(error))
        let page: HostedPage =
            switch error {
            case .notFound: .denialLinkOver
            case .malformedRequest: .problem(.malformedRequest)
            default: .problem(.refused(error))
            }
        return page.response(in: app.frame, for: request, browser: nil, status: refusal.status).taking(refusal)
    }
}

extension AppServer {
    /// Returns the page that denies sign-ins, if it is at that path. It stays where notices were switched off: links that were
    /// mailed before remain valid.
    func signInDenialPage(at path: String) -> SignInDenialPage? {
        path == SignInDenialPage.path ? SignInDenialPage() : nil
    }
}
