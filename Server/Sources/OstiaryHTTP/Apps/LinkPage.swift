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
            var response = await open(request, app, caller, browser)
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

    /// Of two values of one name, neither is taken: it cannot be told which was meant.
    private func refuseRepeats(_ request: WireRequest, _ app: AppServer) -> WireResponse {
        HostedPage.problem(.malformedRequest).response(in: app.frame, for: request, browser: nil, status: 400)
    }

    private func open(
        _ request: WireRequest, _ app: AppServer, _ caller: Caller, _ browser: Secret<String>
    ) async -> WireResponse {
        let query = FormValues(request.query)
        guard !query.hasRepeats else { return refuseRepeats(request, app) }
        let token = query["token"] ?? ""
        do throws(AuthError) {
            try await app.engine.serving(caller).lookUp(link, token: Secret(token))
            return form(token: token, app, problem: nil).response(in: app.frame, for: request, browser: browser)
        } catch {
            let refusal = app.codec.write(error)
            let page = MailedLink(refusedBy: error).map { HostedPage.linkOver($0, renewal: nil) }
            return (page ?? .problem(.refused(error)))
                .response(in: app.frame, for: request, browser: nil, status: refusal.status).taking(refusal)
        }
    }

    private func take(
        _ form: FormValues, _ request: WireRequest, _ app: AppServer, _ caller: Caller, _ browser: Secret<String>
    ) async -> WireResponse {
        guard !form.hasRepeats else { return refuseRepeats(request, app) }
        let token = form["token"] ?? ""
        do throws(AuthError) {
            try await perform(
                token: Secret(token), password: Secret(form["password"] ?? ""), engine: app.engine.serving(caller))
            return done.response(in: app.frame, for: request, browser: nil)
        } catch {
            let refusal = app.codec.write(error)
            let page = MailedLink(refusedBy: error).map { HostedPage.linkOver($0, renewal: nil) }
            return (page ?? self.form(token: token, app, problem: error))
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

    private var link: MailedLink {
        switch self {
        case .resetPassword: .passwordReset
        case .confirmRegistration: .registration
        }
    }

    private var done: HostedPage {
        switch self {
        case .resetPassword: .passwordChanged(signIn: nil)
        case .confirmRegistration: .registrationConfirmed(signIn: nil)
        }
    }
}

extension MailedLink {
    /// Which link is not good any more; nil if something else was refused.
    init?(refusedBy error: AuthError) {
        switch error {
        case .resetTokenRefused: self = .passwordReset
        // Used twice, a registration meets the account that it made.
        case .registrationTokenRefused, .identifierTaken: self = .registration
        default: return nil
        }
    }
}
