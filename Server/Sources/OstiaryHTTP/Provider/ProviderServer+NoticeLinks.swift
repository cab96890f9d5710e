import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryProvider

/// The pages that the links of security notices lead to.
extension ProviderServer {
    /// Shows the page with the button. Opening it redeems nothing: mail scanners open every link.
    func showNoticeLink(_ page: PagePath, _ browserRequest: ProviderPageRequest) async -> ServerResponse {
        guard let link = page.noticeLink, let query = ProviderParameters.read(browserRequest.request.query) else {
            return browserRequest.page(.problem(.malformedRequest), status: 400)
        }
        let token = query["token"] ?? ""
        let form = PageForm(action: page.path, hidden: [["token", token]])
        do throws(AuthError) {
            return browserRequest.page(
                try await link.page(
                    of: Secret(token), with: form, in: provider.engine.serving(browserRequest.caller)))
        } catch {
            return browserRequest.redisplay(link.page(of: error), error)
        }
    }

    func redeemNoticeLink(
        _ page: PagePath, _ form: [String: String], _ browserRequest: ProviderPageRequest
    ) async -> ServerResponse {
        guard let link = page.noticeLink else { return OAuthAnswer.notFound }
        do throws(AuthError) {
            return browserRequest.page(
                try await link.redeem(
                    Secret(form["token"] ?? ""), in: provider.engine.serving(browserRequest.caller)))
        } catch {
            return browserRequest.redisplay(link.page(of: error), error)
        }
    }
}
