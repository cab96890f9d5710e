import OstiaryContracts
import OstiaryCore
import OstiaryEngine

/// The page that the link of a recovery leads to, where a browser adds a passkey to an account whose passkeys are lost: see
/// decision 58. Opening it redeems nothing, since mail scanners open every link.
enum PasskeyRecoveryPage: String, CaseIterable, AppPage {
    case page = "/recover-passkey"
    /// The options that the script of the page asks for.
    case options = "/recover-passkey/options"

    /// Returns `true` for an app with passkeys.
    static func exist(in app: AppSettings) -> Bool { app.passkeys != nil && app.secondFactor.requirement != .off }

    func answer(_ request: WireRequest, app: AppServer, from caller: Caller) async -> ServerResponse {
        let known = BrowserCookie.value(in: request, frame: app.frame)
        switch (request.method, self) {
        case ("GET", .page), ("HEAD", .page):
            let browser = known ?? BrowserCookie.fresh(app.engine.ports.system)
            var response = await open(request, app, caller, browser)
            if known == nil { response.cookies = [Secret(BrowserCookie.setting(browser, frame: app.frame))] }
            return response
        case ("POST", _):
            let form = FormValues(String(decoding: request.body, as: UTF8.self))
            guard let browser = known, FormGuard.accepts(request, form: form, browser: browser, frame: app.frame) else {
                return refuse(.formExpired, .forbidden, request, app)
            }
            guard !form.hasRepeats else { return refuse(.malformedRequest, .malformedRequest, request, app) }
            return self == .page
                ? await add(form, request, app, caller, browser) : await sendOptions(form, request, app, caller)
        default:
            return ServerResponse(status: 405, headers: ["allow": self == .page ? "GET, HEAD, POST" : "POST"])
        }
    }

    private func open(
        _ request: WireRequest, _ app: AppServer, _ caller: Caller, _ browser: Secret<String>
    ) async -> ServerResponse {
        let query = FormValues(request.query)
        guard !query.hasRepeats else { return refuse(.malformedRequest, .malformedRequest, request, app) }
        let token = query["token"] ?? ""
        do throws(AuthError) {
            let opensAt = try await app.engine.serving(caller).passkeyRecoveryOpening(Secret(token))
            let page: HostedPage =
                opensAt > app.engine.ports.system.now()
                ? .passkeyRecoveryWaits(until: opensAt) : form(token, request, app, nil, nil)
            return page.response(in: app.frame, for: request, browser: browser)
        } catch {
            return refuse(error, request, app)
        }
    }

    /// Returns the form, posted to the page's own path: relative, so that it works under any base of the app.
    private func form(
        _ token: String, _ request: WireRequest, _ app: AppServer, _ name: String?, _ problem: AuthError?
    ) -> HostedPage {
        let origin = app.frame.origin(of: request)
        guard app.engine.app.passkeys?.origins.contains(where: { $0.utf8.elementsEqual(origin.utf8) }) == true else {
            return .passkeyRecoveryInApp
        }
        return .newPasskey(
            HostedPage.NewPasskey(
                form: PageForm(action: String(Self.page.rawValue.dropFirst()), hidden: [["token", token]]),
                options: String(Self.options.rawValue.dropFirst()), name: name, problem: problem), account: nil)
    }

    private func add(
        _ form: FormValues, _ request: WireRequest, _ app: AppServer, _ caller: Caller, _ browser: Secret<String>
    ) async -> ServerResponse {
        let token = form["token"] ?? ""
        do throws(AuthError) {
            let name: FactorName
            do throws(FieldProblem) { name = try FactorName(form["name"] ?? "") } catch {
                throw .invalid(.name, error)
            }
            try await app.engine.serving(caller).recover(
                Secret(token), passkeyToken: Secret(form["passkey_token"] ?? ""), credential: form["credential"] ?? "",
                name: name)
            return HostedPage.passkeyRecovered.response(in: app.frame, for: request, browser: nil)
        } catch {
            guard await isAboutPasskey(error, token, app, caller) else { return refuse(error, request, app) }
            let refusal = ServerResponse(app.codec.write(error))
            return self.form(token, request, app, form["name"], error)
                .response(in: app.frame, for: request, browser: browser, status: refusal.status).taking(refusal)
        }
    }

    /// Returns `true` if a refusal is about the passkey, and the person can try again.
    private func isAboutPasskey(
        _ error: AuthError, _ token: String, _ app: AppServer, _ caller: Caller
    ) async -> Bool {
        switch error {
        case .invalid, .credentialRefused, .busy, .unavailable: true
        // The challenge of the passkey or that of the link is over.
        case .challengeRefused: (try? await app.engine.serving(caller).passkeyRecoveryOpening(Secret(token))) != nil
        default: false
        }
    }

    private func sendOptions(
        _ form: FormValues, _ request: WireRequest, _ app: AppServer, _ caller: Caller
    ) async -> ServerResponse {
        do throws(AuthError) {
            let options = try await app.engine.serving(caller).passkeyRecoveryOptions(Secret(form["token"] ?? ""))
            guard let publicKey = try? JSON.read(Array(options.publicKey.utf8)) else {
                throw .unavailable(incident: nil)
            }
            return Self.json(
                200, ["public_key": publicKey, "passkey_token": .string(options.token?.reveal() ?? "")])
        } catch {
            return refuse(error, request, app)
        }
    }

    // MARK: Refusals

    private func refuse(_ error: AuthError, _ request: WireRequest, _ app: AppServer) -> ServerResponse {
        switch error {
        case .challengeRefused: refuse(.recoveryLinkOver, .notFound, request, app)
        default: refuse(.problem(.refused(error)), error, request, app)
        }
    }

    private func refuse(
        _ problem: HostedPage.Problem, _ error: AuthError, _ request: WireRequest, _ app: AppServer
    ) -> ServerResponse { refuse(.problem(problem), error, request, app) }

    /// Refuses in a page, or in words for the script.
    private func refuse(
        _ page: HostedPage, _ error: AuthError, _ request: WireRequest, _ app: AppServer
    ) -> ServerResponse {
        let refusal = ServerResponse(app.codec.write(error))
        guard self == .options else {
            return page.response(in: app.frame, for: request, browser: nil, status: refusal.status).taking(refusal)
        }
        let texts = PageLanguage.texts(for: request)
        let text =
            page == .recoveryLinkOver
            ? texts.recoveryLinkOver.paragraphs.joined(separator: " ") : texts.text(of: error)
        return Self.json(refusal.status, ["error": .string(text)]).taking(refusal)
    }

    private static func json(_ status: Int, _ value: JSON) -> ServerResponse {
        ServerResponse(status: status, headers: ["content-type": "application/json"], body: value.bytes)
    }
}
