import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryProvider

extension ProviderServer {
    func showResetRequest(_ browserRequest: ProviderPageRequest) -> ServerResponse {
        browserRequest.page(resetRequest(browserRequest, email: browserRequest.asked?.loginHint ?? "", nil))
    }

    func requestReset(_ form: [String: String], _ browserRequest: ProviderPageRequest) async throws(AuthError)
        -> ServerResponse
    {
        do throws(AuthError) {
            let call = RequestPasswordReset(email: try Self.email(form))
            _ = try await provider.engine.serving(browserRequest.caller).perform(call)
            return browserRequest.page(.forgotPasswordSent(signIn: browserRequest.link(to: .signIn, title: frame.name)))
        } catch {
            return browserRequest.redisplay(resetRequest(browserRequest, email: form["email"] ?? "", error), error)
        }
    }

    private func resetRequest(_ browserRequest: ProviderPageRequest, email: String, _ problem: AuthError?) -> HostedPage
    {
        let form = PageForm(action: PagePath.forgotPassword.path, hidden: browserRequest.hidden)
        return .forgotPassword(
            HostedPage.ResetRequest(
                form: form, email: email, signIn: browserRequest.link(to: .signIn, title: frame.name), problem: problem)
        )
    }

    /// Shows the page of a mailed link. Opening it redeems nothing: mail scanners open every link.
    func showLink(_ page: PagePath, _ browserRequest: ProviderPageRequest) async -> ServerResponse {
        guard let token = ProviderParameters.read(browserRequest.request.query)?["token"] else {
            return browserRequest.page(.problem(.malformedRequest), status: 400)
        }
        do throws(AuthError) {
            try await provider.engine.serving(browserRequest.caller).lookUp(link(page), token: Secret(token))
            return browserRequest.page(linkPage(page, token: token, nil))
        } catch {
            return refuseLink(page, browserRequest, error) ?? browserRequest.problem(error)
        }
    }

    func finishLink(
        _ page: PagePath, _ form: [String: String], _ browserRequest: ProviderPageRequest
    ) async throws(AuthError) -> ServerResponse {
        let token = form["token"] ?? ""
        let password = Secret(form["password"] ?? "")
        let next = browserRequest.link(to: .signIn, title: frame.name)
        do throws(AuthError) {
            // The link may have been opened in another browser than the one that waits: that browser signs in itself.
            let deviceToken = try await provider.engine.serving(browserRequest.caller)
                .redeem(link(page), token: Secret(token), password: password)
            return browserRequest.setting(
                deviceToken.map { [DeviceCookie.setting($0, frame: frame)] } ?? [],
                on: browserRequest.page(
                    link(page) == .registration ? .registrationConfirmed(signIn: next) : .passwordChanged(signIn: next))
            )
        } catch {
            return refuseLink(page, browserRequest, error)
                ?? browserRequest.redisplay(linkPage(page, token: token, error), error)
        }
    }

    private func link(_ page: PagePath) -> MailedLink { page == .finishRegistration ? .registration : .passwordReset }

    /// - Returns: Nil if the refusal is not about the link.
    private func refuseLink(_ page: PagePath, _ browserRequest: ProviderPageRequest, _ error: AuthError)
        -> ServerResponse?
    {
        guard let link = MailedLink(refusedBy: error) else { return nil }
        let renewal = browserRequest.link(to: link == .registration ? .register : .forgotPassword, title: frame.name)
        return browserRequest.redisplay(.linkOver(link, renewal: renewal), error)
    }

    private func linkPage(_ page: PagePath, token: String, _ problem: AuthError?) -> HostedPage {
        let form = PageForm(action: page.path, hidden: [["token", token]])
        return link(page) == .registration
            ? .finishRegistration(form, problem: problem)
            : .resetPassword(
                form, minimumPasswordLength: provider.engine.app.passwords.minimumLength, problem: problem)
    }
}
