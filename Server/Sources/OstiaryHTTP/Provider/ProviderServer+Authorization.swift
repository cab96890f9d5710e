import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryProvider

extension ProviderServer {
    /// The authorization endpoint. Source: RFC 6749 §3.1, OpenID Connect Core §3.1.2.
    func authorize(_ request: WireRequest, from caller: Caller) async -> ServerResponse {
        let browserRequest = ProviderPageRequest(request, from: caller, to: self)
        if request.method == "POST" { return Self.asQuery(request, browserRequest, at: .authorization) }
        guard let parameters = ProviderParameters.read(request.query) else {
            return browserRequest.page(.problem(.malformedRequest), status: 400)
        }
        do throws(AuthError) {
            return show(
                try await provider.authorize(parameters, session: browserRequest.session, from: caller), browserRequest)
        } catch {
            return browserRequest.problem(error)
        }
    }

    /// Redirects a posted form to the same endpoint as a query: a form that a client's page posts is sent without the
    /// provider's cookies (`SameSite`); the redirected request is sent with them.
    static func asQuery(
        _ request: WireRequest, _ browserRequest: ProviderPageRequest, at endpoint: OpenIDProvider.Endpoint
    ) -> ServerResponse {
        guard let text = ProviderParameters.text(ofFormIn: request), let form = ProviderParameters.read(text) else {
            return browserRequest.page(.problem(.malformedRequest), status: 400)
        }
        let parameters = form.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
        // No cookie is set here: it would replace one that the browser withheld.
        return ServerResponse(status: 303, headers: ["location": "\(endpoint.path)?\(URLQuery.encode(parameters))"])
    }

    func show(_ step: AuthorizationStep, _ browserRequest: ProviderPageRequest) -> ServerResponse {
        switch step {
        case .refused(let problem): browserRequest.page(.problem(Self.problem(problem)), status: 400)
        case .redirect(let url): browserRequest.redirect(to: url)
        case .signIn(let asked): signInPage(browserRequest.asked(asked), email: asked.loginHint ?? "")
        case .mockSignIn(let asked, let connection):
            browserRequest.asked(asked).page(Self.mockSignInPage(browserRequest.asked(asked), connection, [:], nil))
        case .stepUp(let asked, let challenge):
            challengePage(challenge, browserRequest.asked(asked), isStepUp: true)
        case .enrol(let asked): enrolmentPage(browserRequest.asked(asked))
        case .consent(let asked, let account, let tag):
            consentPage(browserRequest.asked(asked), asked, account, tag: tag)
        case .confirmation(let asked, let account, let tag):
            consentPage(browserRequest.asked(asked), asked, account, tag: tag, isConfirmation: true)
        }
    }

    private static func problem(_ problem: AuthorizationStep.Problem) -> HostedPage.Problem {
        switch problem {
        case .unknownClient: .unknownClient
        case .redirectURIRefused: .redirectURIRefused
        case .malformedRequest: .malformedRequest
        }
    }

    private func consentPage(
        _ browserRequest: ProviderPageRequest, _ asked: AuthenticationRequest, _ account: Account, tag: String,
        isConfirmation: Bool = false
    ) -> ServerResponse {
        let another = asked.queryForAnotherAccount.map { query in
            HostedPage.Link(
                url: "\(OpenIDProvider.Endpoint.authorization.path)?\(query)", title: asked.client.name)
        }
        return browserRequest.page(
            .consent(
                HostedPage.Consent(
                    form: PageForm(
                        action: PagePath.consent.path,
                        hidden: browserRequest.hidden + [[Self.consentField, tag]]),
                    client: asked.client.name,
                    wishes: Set(asked.scopes.compactMap(Self.wish)),
                    person: account.email?.text ?? account.fullName?.text,
                    anotherAccount: another, isConfirmation: isConfirmation)))
    }

    static func wish(_ scope: Scope) -> HostedPage.Consent.RequestedClaim? {
        switch scope {
        case .openid: nil
        case .profile: .name
        case .email: .email
        case .offlineAccess: .presence
        }
    }

    private static func mockSignInPage(
        _ browserRequest: ProviderPageRequest, _ connection: String, _ form: [String: String], _ problem: AuthError?
    ) -> HostedPage {
        .mockSignIn(
            HostedPage.MockSignIn(
                form: PageForm(action: PagePath.mockSignIn.path, hidden: browserRequest.hidden),
                provider: Self.title(of: connection), email: form["email"] ?? "", fullName: form["full_name"] ?? "",
                problem: problem))
    }

    /// Returns the display name of a simulated provider.
    private static func title(of connection: String) -> String {
        switch connection {
        case "google-oauth2": "Google"
        case "github": "GitHub"
        case "apple": "Apple"
        default: connection
        }
    }

    func takeConsent(_ form: [String: String], _ browserRequest: ProviderPageRequest) async throws(AuthError)
        -> ServerResponse
    {
        guard let text = form[ProviderPageRequest.requestField], let parameters = ProviderParameters.read(text) else {
            return browserRequest.page(.problem(.malformedRequest), status: 400)
        }
        switch ProviderPageRequest.decision(in: form) {
        case "allow":
            return show(
                try await provider.consent(
                    parameters, by: form[Self.consentField] ?? "", session: browserRequest.session,
                    from: browserRequest.caller),
                browserRequest)
        case "deny": return show(provider.decline(parameters), browserRequest)
        default: return browserRequest.page(.problem(.malformedRequest), status: 400)
        }
    }

    func mockSignIn(_ form: [String: String], _ browserRequest: ProviderPageRequest) async throws(AuthError)
        -> ServerResponse
    {
        guard let asked = Self.asked(in: form, at: provider), let connection = asked.connection else {
            return browserRequest.page(.problem(.malformedRequest), status: 400)
        }
        let browserRequest = browserRequest.asked(asked)
        do throws(AuthError) {
            let email = try Self.email(form)
            let name = try Self.name(form)
            return await enter(
                try await provider.mockSignIn(as: name, email, at: connection, from: browserRequest.caller),
                browserRequest
            )
        } catch {
            if let page = continuation(of: error, browserRequest) { return page }
            guard case .invalid = error else { throw error }
            return browserRequest.redisplay(Self.mockSignInPage(browserRequest, connection, form, error), error)
        }
    }

    /// Returns the client's request that a form carries, parsed and checked anew: the browser's input is untrusted.
    static func asked(in form: [String: String], at provider: OpenIDProvider) -> AuthenticationRequest? {
        form[requestField].flatMap(ProviderParameters.read).flatMap(provider.request)
    }

    private static var requestField: String { ProviderPageRequest.requestField }
    /// The hidden field with the tag of the question that the person answers.
    private static var consentField: String { "consent" }
}
