import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryProvider

extension ProviderServer {
    func requestReset(_ form: [String: String], _ visit: Visit) async throws(AuthError) -> WireResponse {
        do throws(AuthError) {
            let call = RequestPasswordReset(email: try Self.email(form))
            _ = try await provider.engine.serving(visit.caller).requestPasswordReset(call)
            return visit.page(.forgotPasswordSent)
        } catch {
            return visit.again(
                .forgotPassword(PageForm(action: PagePath.forgotPassword.path), problem: error), error)
        }
    }

    /// Where a mailed link leads. Opening it spends nothing: mail scanners open every link.
    func showLink(_ page: PagePath, _ visit: Visit) -> WireResponse {
        guard let token = ProviderParameters.read(visit.request.query)?["token"] else {
            return visit.page(.problem(.malformedRequest), status: 400)
        }
        return visit.page(linkPage(page, token: token, nil))
    }

    func finishLink(
        _ page: PagePath, _ form: [String: String], _ visit: Visit
    ) async throws(AuthError) -> WireResponse {
        let token = form["token"] ?? ""
        let password = Secret(form["password"] ?? "")
        let engine = provider.engine.serving(visit.caller)
        let next = visit.link(to: .signIn, title: frame.name)
        do throws(AuthError) {
            guard page == .confirmRegistration else {
                _ = try await engine.resetPassword(ResetPassword(proof: .token(Secret(token)), password: password))
                return visit.page(.passwordChanged(continuing: next))
            }
            let signedIn = try await engine.confirmRegistration(
                ConfirmRegistration(token: Secret(token), password: password))
            // The link may have been opened in another browser than the one that is waiting: sign-in is asked for there.
            _ = try await engine.signOut(SignOut(accessToken: signedIn.tokens.accessToken))
            return visit.page(.registrationConfirmed(continuing: next))
        } catch {
            return visit.again(linkPage(page, token: token, error), error)
        }
    }

    private func linkPage(_ page: PagePath, token: String, _ problem: AuthError?) -> HostedPage {
        let form = PageForm(action: page.path, hidden: [["token", token]])
        return page == .confirmRegistration
            ? .confirmRegistration(form, problem: problem)
            : .resetPassword(
                form, minimumPasswordLength: provider.engine.app.passwords.minimumLength, problem: problem)
    }
}
