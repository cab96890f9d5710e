import OstiaryContracts
import OstiaryCore
import OstiaryEngine

/// The pages that the links in mails lead to. Opening one spends nothing, since mail scanners open every link: the person
/// types a password and presses a button, and only that uses the token.
///
/// The token in the form is what proves the request; there is no cookie that a foreign page could ride on.
enum LinkPage: String {
    case resetPassword = "/reset-password"
    case confirmRegistration = "/confirm-registration"

    func answer(_ request: WireRequest, app: AppServer, from caller: Caller) async -> WireResponse {
        switch request.method {
        case "GET":
            return page(app, form(token: Self.value("token", request.query), problem: nil))
        case "POST":
            let body = String(decoding: request.body, as: UTF8.self)
            let token = Self.value("token", body)
            do throws(AuthError) {
                try await perform(
                    token: Secret(token), password: Secret(Self.value("password", body)),
                    engine: app.engine.serving(caller))
                return page(app, "<p role=\"status\">\(done)</p>")
            } catch {
                let text = HTML.escape(app.codec.text(of: error))
                let refusal = app.codec.write(error)
                var response = page(app, form(token: token, problem: text), status: refusal.status)
                // When to try again, and what a 401 asks for, is said on a page too.
                response.headers.merge(refusal.headers) { particular, _ in particular }
                return response
            }
        default:
            return WireResponse(status: 405, headers: ["allow": "GET, POST"])
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

    private var title: String {
        switch self {
        case .resetPassword: "Choose a new password"
        case .confirmRegistration: "Finish your registration"
        }
    }

    private var label: String {
        switch self {
        case .resetPassword: "New password"
        case .confirmRegistration: "The password you chose"
        }
    }

    private var done: String {
        switch self {
        case .resetPassword: "Your password is changed. You can go back to the app and sign in with it."
        case .confirmRegistration: "Your account is ready. You can go back to the app and sign in."
        }
    }

    private func form(token: String, problem: String?) -> String {
        let autocomplete = self == .resetPassword ? "new-password" : "current-password"
        let described = problem == nil ? "" : " aria-invalid=\"true\" aria-describedby=\"problem\""
        return """
            <form method="post">
            <input type="hidden" name="token" value="\(HTML.escape(token))">
            <label for="password">\(label)</label>
            <input id="password" name="password" type="password" autocomplete="\(autocomplete)" required\(described)>
            \(problem.map { "<p id=\"problem\" class=\"problem\" role=\"alert\">\($0)</p>" } ?? "")
            <button>\(title)</button>
            </form>
            """
    }

    private func page(_ app: AppServer, _ content: String, status: Int = 200) -> WireResponse {
        Page(title: title, heading: title, content: content, formAction: "'self'").response(status: status)
    }

    /// A value of a form; empty if there is none.
    private static func value(_ name: String, _ form: String) -> String { FormValues(form)[name] ?? "" }
}
