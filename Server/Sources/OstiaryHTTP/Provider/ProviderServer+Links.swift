import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryProvider

extension ProviderServer {
    func showResetRequest(_ visit: Visit) -> SiteResponse {
        guard let visit = readingRequest(visit) else { return visit.page(.problem(.malformedRequest), status: 400) }
        return visit.page(resetRequest(visit, email: visit.asked?.loginHint ?? "", nil))
    }

    func requestReset(_ form: [String: String], _ visit: Visit) async throws(AuthError) -> SiteResponse {
        guard let visit = readingRequest(form, visit) else {
            return visit.page(.problem(.malformedRequest), status: 400)
        }
        do throws(AuthError) {
            let call = RequestPasswordReset(email: try Self.email(form))
            _ = try await provider.engine.serving(visit.caller).perform(call)
            return visit.page(.forgotPasswordSent(signIn: visit.link(to: .signIn, title: frame.name)))
        } catch {
            return visit.again(resetRequest(visit, email: form["email"] ?? "", error), error)
        }
    }

    private func resetRequest(_ visit: Visit, email: String, _ problem: AuthError?) -> HostedPage {
        let form = PageForm(action: PagePath.forgotPassword.path, hidden: visit.hidden)
        return .forgotPassword(
            HostedPage.ResetRequest(
                form: form, email: email, signIn: visit.link(to: .signIn, title: frame.name), problem: problem))
    }

    /// Shows the page of a mailed link. Opening it redeems nothing: mail scanners open every link.
    func showLink(_ page: PagePath, _ visit: Visit) async -> SiteResponse {
        guard let token = ProviderParameters.read(visit.request.query)?["token"] else {
            return visit.page(.problem(.malformedRequest), status: 400)
        }
        do throws(AuthError) {
            try await provider.engine.serving(visit.caller).lookUp(link(page), token: Secret(token))
            return visit.page(linkPage(page, token: token, nil))
        } catch {
            return refuseLink(page, visit, error) ?? visit.problem(error)
        }
    }

    func finishLink(
        _ page: PagePath, _ form: [String: String], _ visit: Visit
    ) async throws(AuthError) -> SiteResponse {
        let token = form["token"] ?? ""
        let password = Secret(form["password"] ?? "")
        let next = visit.link(to: .signIn, title: frame.name)
        do throws(AuthError) {
            // The link may have been opened in another browser than the one that waits: that browser signs in itself.
            try await provider.engine.serving(visit.caller)
                .redeem(link(page), token: Secret(token), password: password)
            return visit.page(
                link(page) == .registration ? .registrationConfirmed(signIn: next) : .passwordChanged(signIn: next))
        } catch {
            return refuseLink(page, visit, error) ?? visit.again(linkPage(page, token: token, error), error)
        }
    }

    private func link(_ page: PagePath) -> MailedLink { page == .finishRegistration ? .registration : .passwordReset }

    /// - Returns: Nil if the refusal is not about the link.
    private func refuseLink(_ page: PagePath, _ visit: Visit, _ error: AuthError) -> SiteResponse? {
        guard let link = MailedLink(refusedBy: error) else { return nil }
        let renewal = visit.link(to: link == .registration ? .register : .forgotPassword, title: frame.name)
        return visit.again(.linkOver(link, renewal: renewal), error)
    }

    private func linkPage(_ page: PagePath, token: String, _ problem: AuthError?) -> HostedPage {
        let form = PageForm(action: page.path, hidden: [["token", token]])
        return link(page) == .registration
            ? .finishRegistration(form, problem: problem)
            : .resetPassword(
                form, minimumPasswordLength: provider.engine.app.passwords.minimumLength, problem: problem)
    }
}
