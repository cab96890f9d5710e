import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryProvider

extension ProviderServer {
    func showSignIn(_ browserRequest: ProviderPageRequest) -> ServerResponse {
        signInPage(browserRequest, email: browserRequest.asked?.loginHint ?? "")
    }

    func showRegistration(_ browserRequest: ProviderPageRequest) -> ServerResponse {
        browserRequest.page(registration(browserRequest, [:], nil))
    }

    func signInPage(_ browserRequest: ProviderPageRequest, email: String) -> ServerResponse {
        browserRequest.page(signInForm(browserRequest, email, nil))
    }

    func signIn(_ form: [String: String], _ browserRequest: ProviderPageRequest) async throws(AuthError)
        -> ServerResponse
    {
        do throws(AuthError) {
            let call = SignIn(identifier: .email(try Self.email(form)), password: Secret(form["password"] ?? ""))
            var caller = browserRequest.caller
            caller.proofOfWork = ProofOfWorkHeader.read(form[HostedPage.SignIn.proofOfWorkField])
            return await enter(try await provider.engine.serving(caller).perform(call), browserRequest)
        } catch {
            return continuation(of: error, browserRequest)
                ?? browserRequest.redisplay(signInForm(browserRequest, form["email"] ?? "", error), error)
        }
    }

    func register(_ form: [String: String], _ browserRequest: ProviderPageRequest) async throws(AuthError)
        -> ServerResponse
    {
        do throws(AuthError) {
            let call = Register(
                email: try Self.email(form), password: Secret(form["password"] ?? ""), fullName: try Self.name(form))
            return await enter(try await provider.register(call, from: browserRequest.caller), browserRequest)
        } catch {
            if case .confirmationRequired = error {
                return browserRequest.page(
                    .registrationSent(signIn: browserRequest.link(to: .signIn, title: frame.name)))
            }
            return continuation(of: error, browserRequest)
                ?? browserRequest.redisplay(registration(browserRequest, form, error), error)
        }
    }

    /// Signs the browser in and redirects it to the page or client that it came for.
    ///
    /// A sign-in creates a new session with its own cookie and ends the previous one: an attacker who planted or copied
    /// a cookie does not gain the new session (session fixation). A step-up continues the session.
    ///
    /// - Parameter location: The page of the account that the person wants to reach; nil for the client that asked.
    func enter(
        _ signedIn: SignedIn, _ browserRequest: ProviderPageRequest, to location: AccountLocation? = nil
    ) async -> ServerResponse {
        let cookies = await cookies(of: signedIn, browserRequest)
        guard let asked = browserRequest.asked else {
            return browserRequest.redirect(to: location?.url ?? PagePath.account.path, cookies: cookies)
        }
        return browserRequest.redirect(to: await url(of: asked, after: signedIn), cookies: cookies)
    }

    /// Returns the URL at which a client's request continues after a sign-in that was a step of it.
    func url(of asked: AuthenticationRequest, after signedIn: SignedIn) async -> String {
        let query = await provider.query(of: asked, afterSignIn: signedIn.tokens.accessToken)
        return "\(OpenIDProvider.Endpoint.authorization.path)?\(query)"
    }

    /// Ends the browser's previous session, and returns the `set-cookie` values of the new one.
    func cookies(of signedIn: SignedIn, _ browserRequest: ProviderPageRequest) async -> [String] {
        if let before = browserRequest.session {
            // The person is signed in even if the previous session could not be ended; it expires within hours.
            try? await provider.replaceSession(before, with: signedIn, from: browserRequest.caller)
        }
        return [SessionCookie.setting(signedIn.tokens, frame: frame)]
            + (signedIn.deviceToken.map { [DeviceCookie.setting($0, frame: frame)] } ?? [])
    }

    /// - Parameter isPasskey: `true` if the problem is that of a passkey.
    func signInForm(
        _ browserRequest: ProviderPageRequest, _ email: String, _ problem: AuthError?, isPasskey: Bool = false
    ) -> HostedPage {
        var page = HostedPage.SignIn(form: PageForm(action: PagePath.signIn.path, hidden: browserRequest.hidden))
        page.email = email
        page.client = browserRequest.asked?.client.name
        page.register =
            provider.settings.isRegistrationOpen ? browserRequest.link(to: .register, title: frame.name) : nil
        page.forgotPassword = browserRequest.link(to: .forgotPassword, title: frame.name)
        if problem?.endsWithRecognizedDevice == true {
            page.deviceLink = browserRequest.link(to: .deviceLink, title: frame.name)
        }
        page.passkey = passkeySignIn(browserRequest)
        page.isPasskeyRefused = isPasskey
        page.problem = problem
        return .signIn(page)
    }

    private func registration(_ browserRequest: ProviderPageRequest, _ form: [String: String], _ problem: AuthError?)
        -> HostedPage
    {
        var page = HostedPage.Registration(
            form: PageForm(action: PagePath.register.path, hidden: browserRequest.hidden),
            minimumPasswordLength: provider.engine.app.passwords.minimumLength)
        page.email = form["email"] ?? browserRequest.asked?.loginHint ?? ""
        page.fullName = form["full_name"] ?? ""
        page.client = browserRequest.asked?.client.name
        page.signIn = browserRequest.link(to: .signIn, title: frame.name)
        page.problem = problem
        return .register(page)
    }

    /// Shows a page as a step of the client's request in its query, if there is one.
    func continuing(
        _ browserRequest: ProviderPageRequest, _ show: (ProviderPageRequest) -> ServerResponse
    ) -> ServerResponse {
        guard let step = readingRequest(browserRequest) else {
            return browserRequest.page(.problem(.malformedRequest), status: 400)
        }
        return show(step)
    }

    /// Takes a form as a step of the client's request in it, if there is one.
    func continuing(
        _ form: [String: String], _ browserRequest: ProviderPageRequest,
        _ take: ([String: String], ProviderPageRequest) async throws(AuthError) -> ServerResponse
    ) async throws(AuthError) -> ServerResponse {
        guard let step = readingRequest(form, browserRequest) else {
            return browserRequest.page(.problem(.malformedRequest), status: 400)
        }
        return try await take(form, step)
    }

    /// Returns the page request as a step of the client's request in its query, if there is one; nil if that client's
    /// request cannot be continued.
    private func readingRequest(_ browserRequest: ProviderPageRequest) -> ProviderPageRequest? {
        guard let parameters = ProviderParameters.read(browserRequest.request.query) else { return nil }
        guard parameters["client_id"] != nil else { return browserRequest }
        return provider.request(parameters).map { browserRequest.asked($0) }
    }

    func readingRequest(_ form: [String: String], _ browserRequest: ProviderPageRequest) -> ProviderPageRequest? {
        guard form[ProviderPageRequest.requestField] != nil else { return browserRequest }
        return Self.asked(in: form, at: provider).map { browserRequest.asked($0) }
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

extension AuthError {
    /// `true` for a refusal that a recognized device does not get, unless the limits of its network are reached.
    fileprivate var endsWithRecognizedDevice: Bool {
        switch self {
        case .deviceLinkRequired, .proofOfWorkRequired, .tooManyAttempts: true
        default: false
        }
    }
}
