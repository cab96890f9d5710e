import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryProvider

extension ProviderServer {
    /// Signs out. Source: OpenID Connect RP-Initiated Logout §2, §3.
    func endSession(_ request: WireRequest, from caller: Caller) async -> ServerResponse {
        let browserRequest = ProviderPageRequest(request, from: caller, to: self)
        do throws(AuthError) {
            guard request.method == "POST" else {
                return try await confirmSignOut(ProviderParameters.read(request.query), browserRequest)
            }
            let text = ProviderParameters.text(ofFormIn: request)
            guard text.flatMap(ProviderParameters.read)?[FormGuard.field] != nil else {
                // A client's own form: the person is asked to confirm first.
                return Self.asQuery(request, browserRequest, at: .endSession)
            }
            let form: [String: String]
            do throws(ProviderPageRequest.Refusal) {
                form = try browserRequest.form()
            } catch {
                return browserRequest.page(.problem(error.problem), status: error.status)
            }
            return try await signOut(form, browserRequest)
        } catch {
            return browserRequest.problem(error)
        }
    }

    private func confirmSignOut(
        _ parameters: [String: String]?, _ browserRequest: ProviderPageRequest
    ) async throws(AuthError) -> ServerResponse {
        guard let parameters else { return browserRequest.page(.problem(.malformedRequest), status: 400) }
        guard let wish = try await provider.endSession(parameters) else {
            return browserRequest.page(.problem(.redirectURIRefused), status: 400)
        }
        let form = PageForm(
            action: OpenIDProvider.Endpoint.endSession.path, hidden: [[ProviderPageRequest.requestField, wish.query]])
        return browserRequest.page(.confirmSignOut(form), leadingTo: Self.destinations(of: wish))
    }

    private func signOut(_ form: [String: String], _ browserRequest: ProviderPageRequest) async throws(AuthError)
        -> ServerResponse
    {
        guard let parameters = ProviderParameters.read(form[ProviderPageRequest.requestField] ?? ""),
            let wish = try await provider.endSession(parameters)
        else { return browserRequest.page(.problem(.malformedRequest), status: 400) }
        try await provider.signOut(session: browserRequest.session, from: browserRequest.caller)
        let cookies = [SessionCookie.clearing(frame: frame)]
        var response =
            wish.destination.map { browserRequest.redirect(to: $0, cookies: cookies) }
            ?? browserRequest.setting(cookies, on: browserRequest.page(.signedOut(continuing: nil)))
        // Going back in the history must show no cached page.
        response.headers["clear-site-data"] = "\"cache\""
        return response
    }

    private static func destinations(of wish: EndSessionRequest) -> [String] {
        wish.destination.map { [$0] + (wish.client?.leadsTo ?? []) } ?? []
    }
}
