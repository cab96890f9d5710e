import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryProvider

/// The sign-in by the built-in provider. Source: RFC 6749 §4.1, RFC 7636, RFC 9700 §2.1.
extension Console {
    /// Redirects the browser to the provider, which returns it to ``finishSignIn(_:)`` and from there to a page.
    ///
    /// - Parameters:
    ///   - path: The page that the person wants to reach, with the query of the request. A form is not repeated: the page
    ///     that has it is shown.
    ///   - maximumAge: The maximum age of the authentication in seconds; nil for any.
    ///   - isAnew: `true` to ask for the password although the browser is signed in.
    func beginSignIn(
        _ page: ConsolePageRequest, to path: ConsolePath, maximumAge: Int? = nil, isAnew: Bool = false
    ) throws -> ServerResponse {
        let hasPage = path != .signIn && path != .signOut
        let destination = hasPage ? path.url(page.query.parameters) : ConsolePath.overview.path
        let pending = PendingConsoleSignIn(to: destination, at: page.redirectURI, provider.engine.ports.system)
        let query = provider.query(for: pending.request(maximumAge: maximumAge, isAnew: isAnew))
        var response = ServerResponse(
            status: page.request.method == "POST" ? 303 : 302,
            headers: ["location": "\(settings.providerOrigin)\(OpenIDProvider.Endpoint.authorization.path)?\(query)"])
        response.cookies = [try pending.setting(frame: page.frame)]
        return response
    }

    /// Asks the provider to authenticate the administrator again, and returns to the page.
    func stepUp(_ request: AdministratorRequest, to path: ConsolePath) throws -> ServerResponse {
        try beginSignIn(request.page, to: path, maximumAge: Self.stepUpSeconds)
    }

    /// Redeems the code with which the provider sent the browser back.
    ///
    /// Ends in a page that leads to the destination: a browser sends no `Strict` cookie along redirects that began at another
    /// site.
    func finishSignIn(_ page: ConsolePageRequest) async throws -> ServerResponse {
        guard page.request.method != "POST",
            let pending = PendingConsoleSignIn(
                in: page.request, frame: page.frame, at: provider.engine.ports.system.now()),
            let state = page.query["state"], pending.isAnswered(by: state),
            // Source: RFC 9207 §2.4.
            page.query["iss"].map({ $0.utf8.elementsEqual(provider.settings.issuer.utf8) }) == true
        else { return page.outcome(page.texts.signInOver, status: 400, link: page.texts.signInLink) }
        let clearing = PendingConsoleSignIn.clearing(frame: page.frame)
        guard let code = page.query["code"] else {
            let isBelowLevel = page.query["error"] == "unmet_authentication_requirements"
            return page.outcome(
                isBelowLevel ? page.texts.secondFactorNeeded : page.texts.signInDeclined, status: 403,
                link: page.texts.signInLink, cookies: [clearing])
        }
        let token: Secret<String>
        do throws(OAuthError) {
            token = try await provider.openConsoleSession(code: code, for: pending.request(), from: page.caller)
        } catch {
            let isBusy = error.status == 429 || error.status == 503
            return page.outcome(
                isBusy ? page.texts.unavailable(incident: error.incident) : page.texts.signInOver,
                status: isBusy ? 503 : 400, link: page.texts.signInLink, cookies: [clearing])
        }
        guard let session = try await provider.consoleSession(of: token, from: page.caller) else {
            try await provider.replaceConsoleSession(token, from: page.caller)
            return page.outcome(
                page.texts.secondFactorNeeded, status: 403, link: page.texts.signInLink, cookies: [clearing])
        }
        guard session.account.roles.contains(User.adminRole) else {
            try await provider.replaceConsoleSession(token, from: page.caller)
            return page.outcome(
                page.texts.noAdministrator, status: 403, link: page.texts.otherAccountLink, cookies: [clearing])
        }
        if let before = ConsoleCookie.value(in: page.request, frame: page.frame) {
            try await provider.replaceConsoleSession(before, from: page.caller)
        }
        var response = page.forward(to: pending.destination)
        response.cookies = [clearing, ConsoleCookie.setting(token, frame: page.frame)]
        return response
    }

    func signOut(_ request: AdministratorRequest) async throws -> ServerResponse {
        try await provider.endConsoleSession(request.token, from: request.page.caller)
        var response = request.page.outcome(
            request.texts.signedOut, link: request.texts.signInLink,
            cookies: [ConsoleCookie.clearing(frame: request.page.frame)])
        // Going back in the history must show no cached page.
        response.headers["clear-site-data"] = "\"cache\""
        return response
    }
}
