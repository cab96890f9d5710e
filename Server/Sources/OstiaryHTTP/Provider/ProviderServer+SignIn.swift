import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryProvider

extension ProviderServer {
    func showSignIn(_ visit: Visit) -> SiteResponse {
        guard let visit = readingRequest(visit) else { return visit.page(.problem(.malformedRequest), status: 400) }
        return signInPage(visit, email: visit.asked?.loginHint ?? "")
    }

    func showRegistration(_ visit: Visit) -> SiteResponse {
        guard let visit = readingRequest(visit) else { return visit.page(.problem(.malformedRequest), status: 400) }
        return visit.page(registration(visit, [:], nil))
    }

    func signInPage(_ visit: Visit, email: String) -> SiteResponse { visit.page(signInForm(visit, email, nil)) }

    func signIn(_ form: [String: String], _ visit: Visit) async throws(AuthError) -> SiteResponse {
        guard let visit = readingRequest(form, visit) else {
            return visit.page(.problem(.malformedRequest), status: 400)
        }
        do throws(AuthError) {
            let call = SignIn(identifier: .email(try Self.email(form)), password: Secret(form["password"] ?? ""))
            return await enter(try await provider.engine.serving(visit.caller).perform(call), visit)
        } catch {
            return visit.again(signInForm(visit, form["email"] ?? "", error), error)
        }
    }

    func register(_ form: [String: String], _ visit: Visit) async throws(AuthError) -> SiteResponse {
        guard let visit = readingRequest(form, visit) else {
            return visit.page(.problem(.malformedRequest), status: 400)
        }
        do throws(AuthError) {
            let call = Register(
                email: try Self.email(form), password: Secret(form["password"] ?? ""), fullName: try Self.name(form))
            return await enter(try await provider.register(call, from: visit.caller), visit)
        } catch {
            if case .confirmationRequired = error {
                return visit.page(.registrationSent(signIn: visit.link(to: .signIn, title: frame.name)))
            }
            return visit.again(registration(visit, form, error), error)
        }
    }

    /// Signs the browser in and redirects it to the page or client that it came for.
    ///
    /// A sign-in creates a new session with its own cookie and ends the previous one: an attacker who planted or copied
    /// a cookie does not gain the new session (session fixation).
    func enter(_ signedIn: SignedIn, _ visit: Visit) async -> SiteResponse {
        if let before = visit.session {
            // The person is signed in even if the previous session could not be ended; it expires within hours.
            try? await provider.replaceSession(before, with: signedIn, from: visit.caller)
        }
        let next = visit.asked.map { "\(OpenIDProvider.Endpoint.authorization.path)?\($0.query)" }
        return visit.redirect(
            to: next ?? PagePath.account.path, cookies: [SessionCookie.setting(signedIn.tokens, frame: frame)])
    }

    private func signInForm(_ visit: Visit, _ email: String, _ problem: AuthError?) -> HostedPage {
        var page = HostedPage.SignIn(form: PageForm(action: PagePath.signIn.path, hidden: visit.hidden))
        page.email = email
        page.client = visit.asked?.client.name
        page.register = provider.settings.isRegistrationOpen ? visit.link(to: .register, title: frame.name) : nil
        page.forgotPassword = visit.link(to: .forgotPassword, title: frame.name)
        page.problem = problem
        return .signIn(page)
    }

    private func registration(_ visit: Visit, _ form: [String: String], _ problem: AuthError?) -> HostedPage {
        var page = HostedPage.Registration(
            form: PageForm(action: PagePath.register.path, hidden: visit.hidden),
            minimumPasswordLength: provider.engine.app.passwords.minimumLength)
        page.email = form["email"] ?? visit.asked?.loginHint ?? ""
        page.fullName = form["full_name"] ?? ""
        page.client = visit.asked?.client.name
        page.signIn = visit.link(to: .signIn, title: frame.name)
        page.problem = problem
        return .register(page)
    }

    /// Returns the visit as a step of the request in its query, if there is one; nil if that request cannot be
    /// continued.
    func readingRequest(_ visit: Visit) -> Visit? {
        guard let parameters = ProviderParameters.read(visit.request.query) else { return nil }
        guard parameters["client_id"] != nil else { return visit }
        return provider.request(parameters).map { visit.asked($0) }
    }

    func readingRequest(_ form: [String: String], _ visit: Visit) -> Visit? {
        guard form[Visit.requestField] != nil else { return visit }
        return Self.asked(in: form, at: provider).map { visit.asked($0) }
    }

    static func email(_ form: [String: String]) throws(AuthError) -> EmailAddress {
        guard let text = form["email"], !text.isEmpty else { throw .invalid(.email, .missing) }
        do throws(FieldProblem) {
            return try EmailAddress(text)
        } catch {
            throw .invalid(.email, error)
        }
    }

    /// Returns the full name; nil if none was entered.
    static func name(_ form: [String: String]) throws(AuthError) -> PersonName? {
        guard let text = form["full_name"], !text.isEmpty else { return nil }
        do throws(FieldProblem) {
            return try PersonName(text)
        } catch {
            throw .invalid(.fullName, error)
        }
    }
}
