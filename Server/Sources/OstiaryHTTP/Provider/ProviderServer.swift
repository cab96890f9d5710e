package import OstiaryContracts
import OstiaryCore
package import OstiaryEngine
package import OstiaryProvider
import OstiaryServerPaths

/// The HTTP endpoints of the built-in OpenID provider, below `/idp`: its protocol and its pages. Independent of
/// sockets.
package final class ProviderServer: Sendable {
    package let provider: OpenIDProvider
    let frame: Branding
    /// The apps for Apple's platforms that share the provider's passkeys: `TEAM.BUNDLE`.
    let appleApps: [String]
    let discoveryDocument = RenderedDocument()

    /// The prefix of all its paths.
    package static let base = ServerPath.provider.rawValue
    /// The path, below the base, of the page that sets a password by the token of a link.
    package static var resetPasswordPath: String { PagePath.resetPassword.rawValue }

    package init(provider: OpenIDProvider, frame: Branding, appleApps: [String] = []) {
        self.provider = provider
        self.frame = frame
        self.appleApps = appleApps
    }

    /// The paths below the base, besides the endpoints that clients find by discovery.
    enum PagePath: String, CaseIterable {
        case home = "/"
        case signIn = "/sign-in"
        case passkeySignIn = "/passkey"
        case passkeyOptions = "/passkey/options"
        case challenge = "/challenge"
        case challengePasskey = "/challenge/passkey"
        case enrolment = "/enrol"
        case account = "/account"
        case name = "/account/name"
        case password = "/account/password"
        case authenticator = "/account/authenticator"
        case newPasskey = "/account/passkey"
        case newPasskeyOptions = "/account/passkey/options"
        case factors = "/account/factors"
        case factor = "/account/factor"
        case recoveryCodes = "/account/recovery-codes"
        case endSession = "/account/session"
        case forgetDevice = "/account/device"
        case disconnect = "/account/app"
        case register = "/register"
        case forgotPassword = "/forgot-password"
        case resetPassword = "/reset-password"
        case finishRegistration = "/confirm-registration"
        case deviceLink = "/device-link"
        case recognizeDevice = "/recognize-device"
        case denySignIn = "/deny-sign-in"
        case undoFactorChange = "/undo-factor-change"
        case consent = "/consent"
        case mockSignIn = "/stand-in"

        /// The path as browsers see it, including the base.
        var path: String { ProviderServer.base + rawValue }

        var methods: [String] {
            switch self {
            case .home, .account, .factors: ["GET", "HEAD"]
            case .consent, .mockSignIn, .passkeySignIn, .challenge, .enrolment, .endSession, .forgetDevice, .disconnect:
                ["POST"]
            default: isForScript ? ["POST"] : ["GET", "HEAD", "POST"]
            }
        }

        /// `true` if the script of a page requests it, and reads JSON.
        var isForScript: Bool { [.passkeyOptions, .challengePasskey, .newPasskeyOptions].contains(self) }

        /// The link of a notice that leads to the page; nil for any other page.
        var noticeLink: NoticeLink? { NoticeLink(rawValue: rawValue) }

        /// `true` for a page that exists only where there are second factors.
        var isOfFactors: Bool {
            switch self {
            case .passkeySignIn, .enrolment, .authenticator, .newPasskey, .factors, .factor, .recoveryCodes:
                true
            default: isForScript
            }
        }
    }

    /// Answers one request.
    ///
    /// - Parameter request: Its path is relative to ``base``.
    package func answer(_ request: WireRequest, from caller: Caller) async -> AppServer.Answer {
        let path = request.path.isEmpty ? "/" : request.path
        var response: ServerResponse
        if let refusal = await countUnreadable(request, from: caller) {
            return AppServer.Answer(Self.noStore(OAuthAnswer.refusal(refusal)), operation: "idp unreadable")
        }
        if let endpoint = OpenIDProvider.Endpoint(rawValue: path) {
            response = await answer(endpoint, request, from: caller)
        } else if let page = PagePath(rawValue: path), isOpen(page) {
            response = await answer(page, request, from: caller)
        } else {
            // An unknown path can hold anything, including secrets: it is not used as a label.
            return AppServer.Answer(Self.noStore(notFound(request)), operation: "idp unknown_path")
        }
        if response.headers["cache-control"] == nil { response = Self.noStore(response) }
        return AppServer.Answer(response, operation: "idp \(path)")
    }

    /// Returns the answer to a request for an unknown path: a page for a browser. It sets no cookie.
    private func notFound(_ request: WireRequest) -> ServerResponse {
        guard request.prefersPage else { return OAuthAnswer.notFound }
        return HostedPage.problem(.refused(.notFound)).response(in: frame, for: request, browser: nil, status: 404)
    }

    /// Counts an unreadable request against its network's rate limit.
    ///
    /// - Returns: The refusal for too many attempts; nil to continue.
    private func countUnreadable(_ request: WireRequest, from caller: Caller) async -> OAuthError? {
        guard !ProviderParameters.areReadable(in: request) else { return nil }
        do throws(AuthError) {
            try await provider.engine.serving(caller).countUnreadableRequest()
            return nil
        } catch {
            return OAuthError(error)
        }
    }

    private func isOpen(_ page: PagePath) -> Bool {
        switch page {
        case .register: provider.settings.isRegistrationOpen
        case .finishRegistration: provider.settings.isRegistrationOpen && provider.engine.app.registersSafely
        case .mockSignIn: provider.settings.mocksConnections
        case .denySignIn, .undoFactorChange: page.noticeLink?.exists(in: provider.engine.app) ?? false
        // A sign-in with a risk asks for a code by email, where there are no factors too.
        case .challenge:
            provider.engine.app.secondFactor.requirement != .off || provider.engine.app.risk.challenge != .never
        default: !page.isOfFactors || provider.engine.app.secondFactor.requirement != .off
        }
    }

    private func answer(
        _ endpoint: OpenIDProvider.Endpoint, _ request: WireRequest, from caller: Caller
    ) async -> ServerResponse {
        guard endpoint.methods.contains(request.method) else { return OAuthAnswer.wrongMethod(endpoint.methods) }
        switch endpoint {
        case .authorization: return await authorize(request, from: caller)
        case .endSession: return await endSession(request, from: caller)
        default: return await answerClient(endpoint, request, from: caller)
        }
    }

    private func answer(_ page: PagePath, _ request: WireRequest, from caller: Caller) async -> ServerResponse {
        guard page.methods.contains(request.method) else { return OAuthAnswer.wrongMethod(page.methods) }
        let browserRequest = ProviderPageRequest(request, from: caller, to: self)
        guard request.method == "POST" else { return await show(page, browserRequest) }
        let form: [String: String]
        do throws(ProviderPageRequest.Refusal) {
            form = try browserRequest.form()
        } catch {
            guard page.isForScript else { return browserRequest.page(.problem(error.problem), status: error.status) }
            return scriptRefusal(.malformedRequest, browserRequest)
        }
        do throws(AuthError) {
            return try await take(form, from: page, browserRequest)
        } catch {
            return browserRequest.problem(error)
        }
    }

    private func show(_ page: PagePath, _ browserRequest: ProviderPageRequest) async -> ServerResponse {
        switch page {
        case .home: browserRequest.redirect(to: PagePath.account.path)
        case .account, .name, .password, .authenticator, .newPasskey, .factors, .factor, .recoveryCodes:
            await showAccountPage(page, browserRequest)
        case .signIn: continuing(browserRequest, showSignIn)
        case .register: continuing(browserRequest, showRegistration)
        case .forgotPassword: continuing(browserRequest, showResetRequest)
        case .resetPassword, .finishRegistration: await showLink(page, browserRequest)
        case .deviceLink: continuing(browserRequest, showDeviceLinkRequest)
        case .recognizeDevice: await showDeviceLink(browserRequest)
        case .denySignIn, .undoFactorChange: await showNoticeLink(page, browserRequest)
        case .consent, .mockSignIn, .passkeySignIn, .passkeyOptions, .challenge, .challengePasskey, .enrolment,
            .newPasskeyOptions, .endSession, .forgetDevice, .disconnect:
            OAuthAnswer.notFound
        }
    }

    private func take(
        _ form: [String: String], from page: PagePath, _ browserRequest: ProviderPageRequest
    ) async throws(AuthError) -> ServerResponse {
        switch page {
        case .home, .account, .factors: OAuthAnswer.notFound
        case .passkeySignIn: try await continuing(form, browserRequest, signInWithPasskey)
        case .challenge: try await continuing(form, browserRequest, takeChallenge)
        case .passkeyOptions, .challengePasskey, .newPasskeyOptions:
            await passkeyOptions(for: page, form, browserRequest)
        case .enrolment, .name, .password, .authenticator, .newPasskey, .factor, .recoveryCodes, .endSession,
            .forgetDevice, .disconnect:
            await takeAccountForm(form, from: page, browserRequest)
        case .signIn: try await continuing(form, browserRequest, signIn)
        case .register: try await continuing(form, browserRequest, register)
        case .forgotPassword: try await continuing(form, browserRequest, requestReset)
        case .resetPassword, .finishRegistration: try await finishLink(page, form, browserRequest)
        case .deviceLink: try await continuing(form, browserRequest, requestDeviceLink)
        case .recognizeDevice: try await redeemDeviceLink(form, browserRequest)
        case .denySignIn, .undoFactorChange: await redeemNoticeLink(page, form, browserRequest)
        case .consent: try await takeConsent(form, browserRequest)
        case .mockSignIn: try await mockSignIn(form, browserRequest)
        }
    }

    private static func noStore(_ response: ServerResponse) -> ServerResponse {
        var response = response
        response.headers["cache-control"] = "no-store"
        return response
    }
}

extension OpenIDProvider.Endpoint {
    var path: String { ProviderServer.base + rawValue }

    /// The methods that an endpoint accepts.
    ///
    /// Source: RFC 6749 §3.1, §3.2; OpenID Connect Core §3.1.2.1, §5.3.1; RFC 7009 §2; RFC 7662 §2.
    fileprivate var methods: [String] {
        switch self {
        case .authorization, .userInfo, .endSession: ["GET", "POST"]
        case .token, .revocation, .introspection: ["POST"]
        case .keys, .discovery: ["GET", "HEAD"]
        }
    }
}
