import OstiaryContracts
import OstiaryCore
import OstiaryEngine

/// The pages that the links in mails lead to. Opening one spends nothing, since mail scanners open every link: the person
/// types a password and presses a button, and only that uses the token.
///
/// The token in the form is what proves the request. That the form came from the page is asked as well, so that nobody sets
/// a password by what another page made their browser send.
enum LinkPage: String {
    case resetPassword = "/reset-password"
    case confirmRegistration = "/confirm-registration"

    func answer(_ request: WireRequest, app: AppServer, from caller: Caller) async -> WireResponse {
        let known = BrowserCookie.value(in: request, frame: app.frame)
        let browser = known ?? BrowserCookie.fresh(app.engine.ports.surroundings)
        switch request.method {
        case "GET", "HEAD":
            let page = form(token: FormValues(request.query)["token"] ?? "", app, problem: nil)
            var response = page.response(in: app.frame, for: request, browser: browser)
            if known == nil { response.headers["set-cookie"] = BrowserCookie.setting(browser, frame: app.frame) }
            return response
        case "POST":
            let form = FormValues(String(decoding: request.body, as: UTF8.self))
            guard FormGuard.accepts(request, form: form, browser: known, frame: app.frame) else {
                return HostedPage.problem(.formExpired).response(
                    in: app.frame, for: request, browser: nil, status: 403)
            }
            return await take(form, request, app, caller, browser)
        default:
            return WireResponse(status: 405, headers: ["allow": "GET, POST"])
        }
    }

    private func take(
        _ form: FormValues, _ request: WireRequest, _ app: AppServer, _ caller: Caller, _ browser: Secret<String>
    ) async -> WireResponse {
        let token = form["token"] ?? ""
        do throws(AuthError) {
            try await perform(
                token: Secret(token), password: Secret(form["password"] ?? ""), engine: app.engine.serving(caller))
            return done.response(in: app.frame, for: request, browser: nil)
        } catch {
            let refusal = app.codec.write(error)
            return self.form(token: token, app, problem: error)
                .response(in: app.frame, for: request, browser: browser, status: refusal.status).taking(refusal)
        }
    }

    private func perform(
        token: Secret<String>, password: Secret<String>, engine: AuthEngine
    ) async throws(AuthError) {
        switch self {
        case .resetPassword:
            _ = try await engine.resetPassword(ResetPassword(proof: .token(token), password: password))
        case .confirmRegistration:
            let signedIn = try await engine.confirmRegistration(ConfirmRegistration(token: token, password: password))
            // The browser is not where the person wants to be signed in.
            _ = try await engine.signOut(SignOut(accessToken: signedIn.tokens.accessToken))
        }
    }

    /// The form goes to the page's own path: relative, so that it holds under whatever base the app has.
    private func form(token: String, _ app: AppServer, problem: AuthError?) -> HostedPage {
        let form = PageForm(action: String(rawValue.dropFirst()), hidden: [["token", token]])
        return switch self {
        case .resetPassword:
            .resetPassword(
                form, minimumPasswordLength: app.engine.app.passwords.minimumLength, problem: problem)
        case .confirmRegistration: .confirmRegistration(form, problem: problem)
        }
    }

    private var done: HostedPage {
        switch self {
        case .resetPassword: .passwordChanged(continuing: nil)
        case .confirmRegistration: .registrationConfirmed(continuing: nil)
        }
    }
}
