import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryProvider

/// Second factors and step-up on pages. The engine asks for them and judges the answers; the pages carry both.
extension ProviderServer {
    /// Returns the page that a refusal leads to: a challenge, or the addition of a factor; nil for any other refusal.
    ///
    /// - Parameter next: The page of the account that the person wants to reach; nil for the client that asked.
    func continuation(
        of refusal: AuthError, _ browserRequest: ProviderPageRequest, to next: AccountLocation? = nil
    ) -> ServerResponse? {
        switch refusal {
        case .challengeRequired(let challenge) where challenge.name == Challenge.enrollFactor:
            enrolmentPage(browserRequest, token: challenge.token)
        case .challengeRequired(let challenge):
            challengePage(challenge, browserRequest)
        case .stepUpRequired(let requirement):
            // Without a challenge only a new sign-in helps.
            requirement.challenge.map { challengePage($0, browserRequest, isStepUp: true, to: next) }
                ?? browserRequest.redirect(to: browserRequest.link(to: .signIn, title: frame.name).url)
        default: nil
        }
    }

    func challengePage(
        _ challenge: Challenge, _ browserRequest: ProviderPageRequest, isStepUp: Bool = false,
        to next: AccountLocation? = nil
    ) -> ServerResponse {
        guard var pending = PendingChallenge(challenge, isStepUp: isStepUp, next: next) else {
            return browserRequest.problem(.notConfigured)
        }
        if pending.method == .passkey, !canUsePasskeys(browserRequest) {
            pending.method = pending.methods.first { $0 != .passkey } ?? .passkey
        }
        return browserRequest.page(page(pending, browserRequest))
    }

    private func page(
        _ pending: PendingChallenge, _ browserRequest: ProviderPageRequest, isSent: Bool = false,
        remembers: Bool = false, _ problem: AuthError? = nil
    ) -> HostedPage {
        let form = PageForm(action: PagePath.challenge.path, hidden: pending.hidden + browserRequest.hidden)
        var page = HostedPage.Challenge(form: form, method: pending.method)
        page.others = pending.methods.filter { $0 != pending.method }
        page.isStepUp = pending.isStepUp
        page.client = browserRequest.asked?.client.name
        page.isSent = isSent
        page.canDecline = pending.isStepUp && browserRequest.asked != nil
        if pending.isStepUp, pending.next?.page.isOfFactors != true {
            page.factors = browserRequest.link(to: .factors, title: frame.name)
        }
        let days = provider.engine.app.secondFactor.rememberDeviceDays
        if pending.canRemember, days > 0, [.totp, .passkey, .smsCode].contains(pending.method) {
            page.remembering = HostedPage.Challenge.Remembering(days: days, isChosen: remembers)
        }
        page.problem = problem
        if pending.method == .passkey {
            page.passkey =
                canUsePasskeys(browserRequest)
                ? .authentication(form, options: PagePath.challengePasskey.path) : .unavailable
        }
        return .challenge(page)
    }

    /// `true` if a passkey belongs to the address at which the browser has opened the page. The engine checks the origin
    /// that the browser signs.
    func canUsePasskeys(_ browserRequest: ProviderPageRequest) -> Bool {
        guard let passkeys = provider.engine.app.passkeys else { return false }
        let origin = frame.origin(of: browserRequest.request)
        return passkeys.origins.contains { $0.utf8.elementsEqual(origin.utf8) }
    }

    func challengeOver(_ browserRequest: ProviderPageRequest) -> HostedPage {
        .challengeOver(signIn: browserRequest.link(to: .signIn, title: frame.name))
    }

    func takeChallenge(_ form: [String: String], _ browserRequest: ProviderPageRequest) async throws(AuthError)
        -> ServerResponse
    {
        guard var pending = PendingChallenge(form) else {
            return browserRequest.page(.problem(.malformedRequest), status: 400)
        }
        if let name = form["switch"] {
            guard let method = pending.methods.first(where: { $0.rawValue.utf8.elementsEqual(name.utf8) }) else {
                return browserRequest.page(.problem(.malformedRequest), status: 400)
            }
            pending.method = method
            return browserRequest.page(page(pending, browserRequest))
        }
        switch ProviderPageRequest.decision(in: form) {
        case "deny":
            guard let asked = browserRequest.asked, let parameters = ProviderParameters.read(asked.query) else {
                return browserRequest.redirect(to: PagePath.account.path)
            }
            return show(provider.declineLevel(parameters), browserRequest)
        case "send": return try await sendCode(pending, browserRequest)
        default: return try await answer(pending, form, browserRequest)
        }
    }

    private func sendCode(
        _ pending: PendingChallenge, _ browserRequest: ProviderPageRequest
    ) async throws(AuthError) -> ServerResponse {
        do throws(AuthError) {
            _ = try await provider.engine.serving(browserRequest.caller).perform(
                SendChallengeCode(challengeToken: pending.token, method: pending.method))
            return browserRequest.page(page(pending, browserRequest, isSent: true))
        } catch {
            return refuse(pending, browserRequest, error)
        }
    }

    private func answer(
        _ pending: PendingChallenge, _ form: [String: String], _ browserRequest: ProviderPageRequest
    ) async throws(AuthError) -> ServerResponse {
        let text = pending.method == .password ? form["password"] : form["code"].map(Self.withoutSpaces)
        let remembers = form[PageView.Check.rememberDevice] != nil
        var call = AnswerChallenge(
            challengeToken: pending.token, rememberDevice: remembers, accessToken: browserRequest.session)
        if pending.method == .passkey {
            call.credential = form["credential"] ?? ""
        } else if let text, !text.isEmpty {
            call.answers = [pending.method.rawValue: Secret(text)]
        }
        do throws(AuthError) {
            return await enter(
                try await provider.engine.serving(browserRequest.caller).perform(call), browserRequest,
                to: pending.next)
        } catch {
            // A right answer may lead to a further step.
            return continuation(of: error, browserRequest, to: pending.next)
                ?? refuse(pending, browserRequest, error, remembers: remembers)
        }
    }

    /// Shows the challenge again, or why it can no longer be answered.
    private func refuse(
        _ pending: PendingChallenge, _ browserRequest: ProviderPageRequest, _ error: AuthError, remembers: Bool = false
    ) -> ServerResponse {
        switch error {
        case .challengeRefused, .invalidAccessToken, .sessionRevoked, .accountDisabled:
            browserRequest.redisplay(challengeOver(browserRequest), error)
        default:
            browserRequest.redisplay(
                page(pending, browserRequest, isSent: true, remembers: remembers, error), error)
        }
    }

    /// Returns a code as the app that shows it groups its digits, without the spaces.
    static func withoutSpaces(_ text: String) -> String {
        String(decoding: text.utf8.filter { $0 != UInt8(ascii: " ") }, as: UTF8.self)
    }

    // MARK: Passkeys

    /// The part of a sign-in page where a passkey signs in; nil where the provider has no passkeys.
    func passkeySignIn(_ browserRequest: ProviderPageRequest) -> HostedPage.PasskeyPrompt? {
        guard provider.engine.app.secondFactor.requirement != .off, canUsePasskeys(browserRequest) else { return nil }
        return .authentication(
            PageForm(action: PagePath.passkeySignIn.path, hidden: browserRequest.hidden),
            options: PagePath.passkeyOptions.path, offersAutofill: true)
    }

    func signInWithPasskey(_ form: [String: String], _ browserRequest: ProviderPageRequest) async throws(AuthError)
        -> ServerResponse
    {
        do throws(AuthError) {
            let call = SignInWithPasskey(
                passkeyToken: Secret(form["passkey_token"] ?? ""), credential: form["credential"] ?? "")
            return await enter(try await provider.engine.serving(browserRequest.caller).perform(call), browserRequest)
        } catch {
            return continuation(of: error, browserRequest)
                ?? browserRequest.redisplay(
                    signInForm(browserRequest, browserRequest.asked?.loginHint ?? "", error, isPasskey: true), error)
        }
    }

    /// Answers the script of a page with the options of a ceremony, or with a refusal in words.
    func passkeyOptions(
        for page: PagePath, _ form: [String: String], _ browserRequest: ProviderPageRequest
    ) async -> ServerResponse {
        let engine = provider.engine.serving(browserRequest.caller)
        do throws(AuthError) {
            let options: PasskeyOptions
            switch page {
            case .passkeyOptions: options = try await engine.perform(BeginPasskeySignIn())
            case .challengePasskey:
                options = try await engine.perform(
                    BeginPasskeyChallenge(challengeToken: Secret(form["challenge_token"] ?? "")))
            default:
                options = try await engine.perform(
                    BeginPasskeyRegistration(accessToken: try FactorCredential(form, browserRequest).accessToken))
            }
            guard let publicKey = try? JSON.read(Array(options.publicKey.utf8)) else {
                throw .unavailable(incident: nil)
            }
            var members = [JSON.Member("public_key", publicKey)]
            if let token = options.token { members.append(JSON.Member("passkey_token", .string(token.reveal()))) }
            return OAuthAnswer.json(200, .object(members))
        } catch {
            return scriptRefusal(error, browserRequest)
        }
    }

    /// A refusal of a script's request, in the words of the page.
    func scriptRefusal(_ error: AuthError, _ browserRequest: ProviderPageRequest) -> ServerResponse {
        let texts = PageLanguage.texts(for: browserRequest.request)
        let text: String
        switch error {
        case .challengeRefused, .stepUpRequired, .invalidAccessToken, .sessionRevoked, .accountDisabled:
            text = texts.challengeOver.paragraphs.joined(separator: " ")
        default: text = texts.text(of: error)
        }
        return ProviderPageRequest.addingRetryAfter(
            OAuthAnswer.json(ProviderPageRequest.status(of: error), ["error": .string(text)]), when: error)
    }
}
