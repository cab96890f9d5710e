import OstiaryContracts
import OstiaryCore
import OstiaryEngine

/// The endpoints, beside an app's contract, for a browser that signs in at an identity provider.
enum BrowserEndpoint: String, CaseIterable {
    /// The contract's own operation, whose response sets the browser's cookie.
    case login
    /// The address to which the provider redirects the browser.
    case callback
    /// The first address of a social sign-in.
    case start
    /// The choice between several providers.
    case choose

    var methods: [String] { self == .callback ? ["GET", "POST"] : ["GET"] }

    /// Returns the endpoints by path; none for an app without identity providers. A contract's operation at the same
    /// path takes precedence: ``AppRoutes`` refuses such a configuration.
    static func all(of codec: Codec, _ engine: AuthEngine) -> [String: BrowserEndpoint] {
        guard !engine.ports.identities.providers.isEmpty else { return [:] }
        let providers = engine.ports.identities.providers.map(\.description.name)
        var endpoints = besideContract(of: engine.app, providers: providers)
        for (_, operation) in codec.contract.operations {
            endpoints[codec.contract.prefix + operation.path] = nil
        }
        if let login = codec.endpoint(for: .beginBrowserSignIn) {
            endpoints[codec.contract.prefix + login.path] = .login
        }
        return endpoints
    }

    /// Returns the endpoints of an app with identity providers that are no operations of its contract, by path.
    ///
    /// `/callback` stays with several providers: a sign-in that began with one may return there.
    static func besideContract(of app: AppSettings, providers: [String]) -> [String: BrowserEndpoint] {
        var endpoints: [String: BrowserEndpoint] = [:]
        for endpoint in allCases where endpoint != .login {
            endpoints["\(app.pathPrefix)/\(endpoint.rawValue)"] = endpoint
        }
        for provider in providers { endpoints[app.callbackPath(of: provider, among: providers)] = .callback }
        return endpoints
    }
}

extension AppServer {
    /// Answers a browser. A refusal is written in the contract's format, or as a page if the client prefers HTML.
    func answer(_ endpoint: BrowserEndpoint, _ request: WireRequest, from caller: Caller) async -> Answer {
        let known = BrowserCookie.value(in: request, frame: frame)
        let browser = known ?? BrowserCookie.fresh(engine.ports.system)
        var caller = caller
        // A browser at the callback must have begun the sign-in here: no new cookie value is accepted.
        caller.browser = endpoint == .callback ? known : browser
        do {
            var response = try await respond(to: request, for: endpoint, from: caller)
            if known == nil, endpoint == .login || endpoint == .start {
                response.cookies = [Secret(BrowserCookie.setting(browser, frame: frame))]
            }
            return Answer(response, operation: endpoint.rawValue)
        } catch {
            let refusal = await counting(error, from: caller)
            return Answer(refuse(refusal, to: request, at: endpoint, caller), operation: endpoint.rawValue)
        }
    }

    private func respond(
        to request: WireRequest, for endpoint: BrowserEndpoint, from caller: Caller
    ) async throws(WireRefusal) -> ServerResponse {
        let engine = engine.serving(caller)
        guard endpoint != .login else { return try await logIn(request, engine) }
        guard endpoint.methods.contains(request.method) else { throw .wrongMethod(allowed: endpoint.methods) }
        do throws(AuthError) {
            if request.method == "POST" { return try Self.returnByQuery(request) }
            let query = FormValues(request.query)
            if query.hasRepeats { throw .malformedRequest }
            switch endpoint {
            case .login, .callback:
                let answer = try ProviderReturn(query, at: (engine.caller.baseURL ?? "") + request.path)
                return Self.redirect(to: try await engine.returnFromProvider(answer))
            case .start:
                guard let id = query["id"] else { throw .malformedRequest }
                return Self.redirect(to: try await engine.startBrowser(id: Secret(id)))
            case .choose: return try choice(query, request, engine)
            }
        } catch {
            throw .refused(error)
        }
    }

    private func logIn(_ request: WireRequest, _ engine: AuthEngine) async throws(WireRefusal) -> ServerResponse {
        guard let call = try codec.read(request) as? BeginBrowserSignIn else { throw .unknownPath }
        do {
            return ServerResponse(codec.write(try await engine.perform(call), to: .beginBrowserSignIn))
        } catch {
            throw .refused(error)
        }
    }

    /// Redirects to the same address with the provider's form post as a query: the browser's cookie, which binds the
    /// answer to the browser that began the sign-in, is not sent with a cross-site form post (`SameSite`).
    ///
    /// Source: OAuth 2.0 Form Post Response Mode §2.
    private static func returnByQuery(_ request: WireRequest) throws(AuthError) -> ServerResponse {
        guard FormMediaType.isForm(request.headers["content-type"]) else { throw .malformedRequest }
        let form = FormValues(String(decoding: request.body, as: UTF8.self))
        if form.hasRepeats { throw .malformedRequest }
        let names = ["state", "code", "error", "iss", PersonName.field]
        let query: [(name: String, value: String)] = names.compactMap { name in
            guard let value = form[name], name != PersonName.field || PersonName(sentOnce: value) != nil else {
                return nil
            }
            return (name, value)
        }
        return ServerResponse(status: 303, headers: ["location": "?\(URLQuery.encode(query))"])
    }

    private func choice(
        _ query: FormValues, _ request: WireRequest, _ engine: AuthEngine
    ) throws(AuthError) -> ServerResponse {
        guard let uri = query["redirect_uri"], engine.app.redirectURIs.contains(uri) else { throw .redirectURIRefused }
        var choices: [HostedPage.Choice] = []
        for provider in engine.providerChoices {
            let call = BeginBrowserSignIn(
                redirectURI: uri, appChallenge: query["app_challenge"], provider: provider.name)
            guard let login = try? codec.write(call) else { throw .notFound }
            let url = "\(engine.caller.baseURL ?? "")\(login.path)?\(login.query)"
            choices.append(HostedPage.Choice(kind: provider.kind, title: provider.title, url: url))
        }
        return HostedPage.chooseProvider(choices).response(in: frame, for: request, browser: nil)
    }

    /// Returns a link to the choice of another provider than the unavailable one; nil if there is no other, or if the
    /// request has no registered redirect URI of the app.
    private func linkToProviderChoice(from request: WireRequest, _ caller: Caller) -> HostedPage.Link? {
        guard engine.providerChoices.count > 1, let call = (try? codec.read(request)) as? BeginBrowserSignIn,
            engine.app.redirectURIs.contains(call.redirectURI)
        else { return nil }
        let address = "\(caller.baseURL ?? "")\(engine.app.pathPrefix)/\(BrowserEndpoint.choose.rawValue)"
        return HostedPage.Link(url: URLQuery.append(Self.kept(call), to: address), title: frame.name)
    }

    /// The parameters of a sign-in that the choice of a provider keeps, by the names of this server's own page.
    private static func kept(_ call: BeginBrowserSignIn) -> [(name: String, value: String)] {
        [("redirect_uri", call.redirectURI)] + (call.appChallenge.map { [("app_challenge", $0)] } ?? [])
    }

    private static func redirect(to destination: BrowserDestination) -> ServerResponse {
        ServerResponse(status: 302, headers: ["location": destination.url])
    }

    private func refuse(
        _ refusal: WireRefusal, to request: WireRequest, at endpoint: BrowserEndpoint, _ caller: Caller
    ) -> ServerResponse {
        let response = ServerResponse(codec.write(refusal, to: request))
        guard request.prefersPage, case .refused(let error) = refusal else { return response }
        let choice = endpoint == .login ? linkToProviderChoice(from: request, caller) : nil
        return HostedPage.problem(HostedPage.Problem(error, choice: choice)).response(
            in: frame, for: request, browser: nil, status: response.status
        ).taking(response)
    }
}

extension ProviderReturn {
    /// - Throws: ``AuthError/malformedRequest`` without a state, which identifies the sign-in to continue.
    fileprivate init(_ query: FormValues, at redirectURI: String) throws(AuthError) {
        guard let state = query["state"] else { throw .malformedRequest }
        self.init(
            redirectURI: redirectURI, state: Secret(state), authorizationCode: query["code"].map { Secret($0) },
            error: query["error"], issuer: query["iss"],
            fullName: query[PersonName.field].flatMap { PersonName(sentOnce: $0) })
    }
}

extension HostedPage.Problem {
    /// The problem page for a browser whose sign-in failed.
    fileprivate init(_ error: AuthError, choice: HostedPage.Link?) {
        switch error {
        case .authorizationRefused: self = .signInOver
        case .redirectURIRefused: self = .redirectURIRefused
        case .malformedRequest: self = .malformedRequest
        case .unavailable(let incident): self = .providerAway(incident: incident, choice: choice)
        default: self = .refused(error)
        }
    }
}

extension ServerResponse {
    /// Returns the page with the refusal's headers: `retry-after`, and a 401's challenge.
    func taking(_ refusal: ServerResponse) -> ServerResponse {
        var page = self
        page.headers.merge(refusal.headers) { own, _ in own }
        return page
    }
}
