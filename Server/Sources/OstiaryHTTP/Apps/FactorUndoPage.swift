import OstiaryContracts
import OstiaryCore
import OstiaryEngine

/// The page that the link of a notice about second factors leads to, with one button: see decision 57.
///
/// Link scanners open every link, and some send a form's address without its fields: only a form of this page, in the
/// browser that it was made for, redeems the token.
struct FactorUndoPage {
    static let path = "/undo-factor-change"

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
            return await undo(form, request, app, caller)
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
            let change = try await app.engine.serving(caller).factorChange(undoneBy: Secret(token))
            // Relative, so that it works under any base of the app.
            let form = PageForm(action: String(Self.path.dropFirst()), hidden: [["token", token]])
            return HostedPage.undoFactorChange(form, change).response(in: app.frame, for: request, browser: browser)
        } catch {
            return refuse(error, request, app)
        }
    }

    private func undo(
        _ form: FormValues, _ request: WireRequest, _ app: AppServer, _ caller: Caller
    ) async -> ServerResponse {
        guard !form.hasRepeats else { return refuse(.malformedRequest, request, app) }
        do throws(AuthError) {
            let undone = try await app.engine.serving(caller).undoFactorChange(Secret(form["token"] ?? ""))
            return HostedPage.factorChangeUndone(undone.change, undone.outcome).response(
                in: app.frame, for: request, browser: nil)
        } catch {
            return refuse(error, request, app)
        }
    }

    private func refuse(_ error: AuthError, _ request: WireRequest, _ app: AppServer) -> ServerResponse {
        let refusal = ServerResponse(app.codec.write(error))
        let page: HostedPage =
            switch error {
            case .notFound: .undoLinkOver
            case .malformedRequest: .problem(.malformedRequest)
            default: .problem(.refused(error))
            }
        return page.response(in: app.frame, for: request, browser: nil, status: refusal.status).taking(refusal)
    }
}

extension AppServer {
    /// Returns the page that undoes changes of factors, if it is at that path and the app has second factors.
    func factorUndoPage(at path: String) -> FactorUndoPage? {
        path == FactorUndoPage.path && engine.app.secondFactor.requirement != .off ? FactorUndoPage() : nil
    }
}
