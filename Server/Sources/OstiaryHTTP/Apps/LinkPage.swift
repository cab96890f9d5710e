import OstiaryContracts
import OstiaryCore
import OstiaryEngine

/// The pages that mailed links lead to, whose form sets or confirms a password.
///
/// The token in the form authorizes the request. The form's origin is checked as well, so that another site's page
/// cannot make a browser set a password (cross-site request forgery).
enum LinkPage: String, CaseIterable, LinkFormPage {
    case passwordReset = "/reset-password"
    case registration = "/confirm-registration"

    /// Returns `true` where the app's contract and settings use the page.
    func exists(in app: AppSettings, of codec: Codec) -> Bool {
        if self == .registration, !app.registersSafely { return false }
        // Where the password is reset with a code sent to the phone number, no link is sent.
        let takes = codec.endpoint(for: link.operation)?.takes ?? []
        return takes.contains(.required(link.tokenField))
    }

    /// Refuses a request with a repeated name: neither value is used, since the intended one cannot be told.
    private func refuseRepeats(_ request: WireRequest, _ app: AppServer) -> ServerResponse {
        HostedPage.problem(.malformedRequest).response(in: app.frame, for: request, browser: nil, status: 400)
    }

    func open(
        _ request: WireRequest, _ app: AppServer, _ caller: Caller, _ browser: Secret<String>
    ) async -> ServerResponse {
        let query = FormValues(request.query)
        guard !query.hasRepeats else { return refuseRepeats(request, app) }
        let token = query["token"] ?? ""
        do throws(AuthError) {
            try await app.engine.serving(caller).lookUp(link, token: Secret(token))
            if self == .registration, app.engine.isPasskeyRegistration(Secret(token)) {
                return HostedPage.finishRegistrationInApp.response(in: app.frame, for: request, browser: nil)
            }
            return form(token: token, app, problem: nil).response(in: app.frame, for: request, browser: browser)
        } catch {
            let refusal = ServerResponse(app.codec.write(error))
            let page = MailedLink(refusedBy: error).map { HostedPage.linkOver($0, renewal: nil) }
            return (page ?? .problem(.refused(error)))
                .response(in: app.frame, for: request, browser: nil, status: refusal.status).taking(refusal)
        }
    }

    func take(
        _ form: FormValues, _ request: WireRequest, _ app: AppServer, _ caller: Caller, _ browser: Secret<String>
    ) async -> ServerResponse {
        guard !form.hasRepeats else { return refuseRepeats(request, app) }
        let token = form["token"] ?? ""
        do throws(AuthError) {
            try await app.engine.serving(caller)
                .redeem(link, token: Secret(token), password: Secret(form["password"] ?? ""))
            return done.response(in: app.frame, for: request, browser: nil)
        } catch {
            let refusal = ServerResponse(app.codec.write(error))
            let page = MailedLink(refusedBy: error).map { HostedPage.linkOver($0, renewal: nil) }
            return (page ?? self.form(token: token, app, problem: error))
                .response(in: app.frame, for: request, browser: browser, status: refusal.status).taking(refusal)
        }
    }

    /// Returns the form, posted to the page's own path: relative, so that it works under any base of the app.
    private func form(token: String, _ app: AppServer, problem: AuthError?) -> HostedPage {
        let form = PageForm(action: String(rawValue.dropFirst()), hidden: [["token", token]])
        return switch self {
        case .passwordReset:
            .resetPassword(
                form, minimumPasswordLength: app.engine.app.passwords.minimumLength, problem: problem)
        case .registration: .finishRegistration(form, problem: problem)
        }
    }

    var link: MailedLink {
        switch self {
        case .passwordReset: .passwordReset
        case .registration: .registration
        }
    }

    private var done: HostedPage {
        switch self {
        case .passwordReset: .passwordChanged(signIn: nil)
        case .registration: .registrationConfirmed(signIn: nil)
        }
    }
}

extension MailedLink {
    /// The kind of link that is no longer valid; nil if something else was refused.
    init?(refusedBy error: AuthError) {
        switch error {
        case .resetTokenRefused: self = .passwordReset
        // A registration token used twice meets the account that the first use created.
        case .registrationTokenRefused, .identifierTaken: self = .registration
        default: return nil
        }
    }
}
