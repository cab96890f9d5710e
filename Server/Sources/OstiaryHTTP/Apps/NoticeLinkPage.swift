import OstiaryContracts
import OstiaryCore
import OstiaryEngine

/// The page that the link of a security notice leads to, with one button.
struct NoticeLinkPage: LinkFormPage {
    let link: NoticeLink

    func open(
        _ request: WireRequest, _ app: AppServer, _ caller: Caller, _ browser: Secret<String>
    ) async -> ServerResponse {
        let query = FormValues(request.query)
        guard !query.hasRepeats else { return refuse(.malformedRequest, request, app) }
        let token = query["token"] ?? ""
        // Relative, so that it works under any base of the app.
        let form = PageForm(action: String(link.rawValue.dropFirst()), hidden: [["token", token]])
        do throws(AuthError) {
            return try await link.page(of: Secret(token), with: form, in: app.engine.serving(caller))
                .response(in: app.frame, for: request, browser: browser)
        } catch {
            return refuse(error, request, app)
        }
    }

    func take(
        _ form: FormValues, _ request: WireRequest, _ app: AppServer, _ caller: Caller, _ browser: Secret<String>
    ) async -> ServerResponse {
        guard !form.hasRepeats else { return refuse(.malformedRequest, request, app) }
        do throws(AuthError) {
            return try await link.redeem(Secret(form["token"] ?? ""), in: app.engine.serving(caller))
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
