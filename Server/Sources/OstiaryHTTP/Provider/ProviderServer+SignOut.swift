import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryProvider

extension ProviderServer {
    func showAccount(_ visit: Visit) async -> SiteResponse {
        do throws(AuthError) {
            guard let bearer = try await provider.bearer(ofSession: visit.session, from: visit.caller) else {
                return visit.redirect(to: PagePath.signIn.path)
            }
            return visit.page(
                .account(
                    name: bearer.account.fullName?.text, email: bearer.account.email?.text,
                    signOut: PageForm(action: OpenIDProvider.Endpoint.endSession.path)))
        } catch {
            return visit.problem(error)
        }
    }

    /// Signs out. Source: OpenID Connect RP-Initiated Logout §2, §3.
    func endSession(_ request: WireRequest, from caller: Caller) async -> SiteResponse {
        let visit = Visit(request, from: caller, to: self)
        do throws(AuthError) {
            guard request.method == "POST" else {
                return try await confirmSignOut(ProviderParameters.read(request.query), visit)
            }
            let text = ProviderParameters.text(ofFormIn: request)
            guard text.flatMap(ProviderParameters.read)?[FormGuard.field] != nil else {
                // A client's own form: the person is asked to confirm first.
                return Self.asQuery(request, visit, at: .endSession)
            }
            let form: [String: String]
            do throws(Visit.Refusal) {
                form = try visit.form()
            } catch {
                return visit.page(.problem(error.problem), status: error.status)
            }
            return try await signOut(form, visit)
        } catch {
            return visit.problem(error)
        }
    }

    private func confirmSignOut(
        _ parameters: [String: String]?, _ visit: Visit
    ) async throws(AuthError) -> SiteResponse {
        guard let parameters else { return visit.page(.problem(.malformedRequest), status: 400) }
        guard let wish = try await provider.endSession(parameters) else {
            return visit.page(.problem(.redirectURIRefused), status: 400)
        }
        let form = PageForm(
            action: OpenIDProvider.Endpoint.endSession.path, hidden: [[Visit.requestField, wish.query]])
        return visit.page(.confirmSignOut(form), leadingTo: Self.destinations(of: wish))
    }

    private func signOut(_ form: [String: String], _ visit: Visit) async throws(AuthError) -> SiteResponse {
        guard let parameters = ProviderParameters.read(form[Visit.requestField] ?? ""),
            let wish = try await provider.endSession(parameters)
        else { return visit.page(.problem(.malformedRequest), status: 400) }
        try await provider.signOut(session: visit.session, from: visit.caller)
        let cookies = [SessionCookie.clearing(frame: frame)]
        var response =
            wish.destination.map { visit.redirect(to: $0, cookies: cookies) }
            ?? visit.setting(cookies, on: visit.page(.signedOut(continuing: nil)))
        // Going back in the history must show no cached page.
        response.headers["clear-site-data"] = "\"cache\""
        return response
    }

    private static func destinations(of wish: EndSessionRequest) -> [String] {
        wish.destination.map { [$0] + (wish.client?.leadsTo ?? []) } ?? []
    }
}
