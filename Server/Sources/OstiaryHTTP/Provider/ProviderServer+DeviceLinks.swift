import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryProvider

/// The pages by which an account recognizes a new browser after too many wrong passwords: see decision 75.
extension ProviderServer {
    func showDeviceLinkRequest(_ browserRequest: ProviderPageRequest) -> ServerResponse {
        browserRequest.page(deviceLinkRequest(browserRequest, email: browserRequest.asked?.loginHint ?? "", nil))
    }

    func requestDeviceLink(_ form: [String: String], _ browserRequest: ProviderPageRequest) async throws(AuthError)
        -> ServerResponse
    {
        do throws(AuthError) {
            let call = RequestDeviceLink(identifier: .email(try Self.email(form)))
            _ = try await provider.engine.serving(browserRequest.caller).perform(call)
            return browserRequest.page(.deviceLinkSent(signIn: browserRequest.link(to: .signIn, title: frame.name)))
        } catch {
            return browserRequest.redisplay(deviceLinkRequest(browserRequest, email: form["email"] ?? "", error), error)
        }
    }

    private func deviceLinkRequest(
        _ browserRequest: ProviderPageRequest, email: String, _ problem: AuthError?
    ) -> HostedPage {
        let form = PageForm(action: PagePath.deviceLink.path, hidden: browserRequest.hidden)
        return .deviceLinkRequest(
            HostedPage.ResetRequest(
                form: form, email: email, signIn: browserRequest.link(to: .signIn, title: frame.name), problem: problem)
        )
    }

    /// Shows the page of a device link. Opening it redeems nothing: mail scanners open every link.
    func showDeviceLink(_ browserRequest: ProviderPageRequest) async -> ServerResponse {
        guard let token = ProviderParameters.read(browserRequest.request.query)?["token"] else {
            return browserRequest.page(.problem(.malformedRequest), status: 400)
        }
        do throws(AuthError) {
            try await provider.engine.serving(browserRequest.caller).lookUpDeviceLink(Secret(token))
            return browserRequest.page(
                .recognizeDevice(PageForm(action: PagePath.recognizeDevice.path, hidden: [["token", token]])))
        } catch {
            return refuseDeviceLink(browserRequest, error)
        }
    }

    func redeemDeviceLink(
        _ form: [String: String], _ browserRequest: ProviderPageRequest
    ) async throws(AuthError) -> ServerResponse {
        do throws(AuthError) {
            let call = RedeemDeviceLink(token: Secret(form["token"] ?? ""))
            let deviceToken = try await provider.engine.serving(browserRequest.caller).perform(call).deviceToken
            return browserRequest.setting(
                deviceToken.map { [DeviceCookie.setting($0, frame: frame)] } ?? [],
                on: browserRequest.page(
                    .deviceRecognized(signIn: browserRequest.link(to: .signIn, title: frame.name))))
        } catch {
            return refuseDeviceLink(browserRequest, error)
        }
    }

    private func refuseDeviceLink(_ browserRequest: ProviderPageRequest, _ error: AuthError) -> ServerResponse {
        guard error == .challengeRefused else { return browserRequest.problem(error) }
        return browserRequest.redisplay(
            .deviceLinkOver(renewal: browserRequest.link(to: .deviceLink, title: frame.name)), error)
    }
}
