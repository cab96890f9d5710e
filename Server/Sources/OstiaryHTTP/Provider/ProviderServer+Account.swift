import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryProvider

/// The account page and the pages of its changes. The engine's operations make every change, and require a step-up.
extension ProviderServer {
    /// Shows a page of the account to the person who is signed in.
    func showAccountPage(_ page: PagePath, _ browserRequest: ProviderPageRequest) async -> ServerResponse {
        guard let session = browserRequest.session else { return browserRequest.redirect(to: PagePath.signIn.path) }
        let id = ProviderParameters.read(browserRequest.request.query)?["id"].flatMap { try? FactorID($0) }
        do throws(AuthError) {
            switch page {
            case .account:
                return browserRequest.page(
                    .account(account(try await overview(session, browserRequest), browserRequest)))
            case .name:
                let account = try await overview(session, browserRequest).account
                return browserRequest.page(nameChange(account.fullName?.text ?? "", nil))
            case .factors:
                let list = try await provider.engine.serving(browserRequest.caller).perform(
                    ListFactors(accessToken: session))
                return browserRequest.page(.factors(factors(list, browserRequest), account: accountLink))
            case .password:
                try await checkStepUp(session, for: .password, browserRequest)
                return browserRequest.page(passwordChange(nil))
            default: return try await showFactorPage(page, id, session, browserRequest)
            }
        } catch {
            return leave(error, browserRequest, to: AccountLocation(page, factor: id))
        }
    }

    private func showFactorPage(
        _ page: PagePath, _ id: FactorID?, _ session: Secret<String>, _ browserRequest: ProviderPageRequest
    ) async throws(AuthError) -> ServerResponse {
        try await checkStepUp(session, for: .factors, browserRequest)
        let list = try await provider.engine.serving(browserRequest.caller).perform(ListFactors(accessToken: session))
        switch page {
        case .authenticator:
            return browserRequest.page(
                .authenticatorIntroduction(PageForm(action: PagePath.authenticator.path), account: accountLink))
        case .newPasskey:
            return browserRequest.page(newPasskey(try FactorCredential([:], browserRequest), browserRequest))
        case .recoveryCodes:
            return browserRequest.page(
                .recoveryCodeReplacement(
                    PageForm(action: PagePath.recoveryCodes.path), left: list.recoveryCodesLeft, account: accountLink))
        default:
            guard let factor = list.factors.first(where: { $0.id == id }) else { throw .notFound }
            return browserRequest.page(factorChange(factor, of: list, nil))
        }
    }

    /// Makes a change that the person who is signed in has submitted.
    func takeAccountForm(
        _ form: [String: String], from page: PagePath, _ browserRequest: ProviderPageRequest
    ) async -> ServerResponse {
        let id = form["id"].flatMap { try? FactorID($0) }
        do throws(AuthError) {
            switch page {
            case .authenticator: return try await continuing(form, browserRequest, takeAuthenticator)
            case .newPasskey: return try await continuing(form, browserRequest, takeNewPasskey)
            case .enrolment: return try await continuing(form, browserRequest, takeEnrolment)
            default: break
            }
            guard let session = browserRequest.session else { throw .invalidAccessToken }
            let engine = provider.engine.serving(browserRequest.caller)
            switch page {
            case .name: return try await changeName(form, session, browserRequest)
            case .password: return try await changePassword(form, session, browserRequest)
            case .factor: return try await changeFactor(id, form, session, browserRequest)
            case .recoveryCodes:
                let codes = try await engine.perform(ReplaceRecoveryCodes(accessToken: session)).codes
                return browserRequest.page(
                    .recoveryCodes(HostedPage.RecoveryCodes(codes: codes ?? [], next: accountLink)))
            case .endSession:
                guard let id = form["id"].flatMap({ try? SessionID($0) }) else { throw .notFound }
                try await provider.endBrowser(id, session: session, from: browserRequest.caller)
            case .forgetDevice:
                guard let id = form["id"].flatMap({ try? DeviceID($0) }) else { throw .notFound }
                _ = try await engine.perform(ForgetDevice(accessToken: session, deviceID: id))
            case .disconnect:
                try await provider.disconnect(form["client"] ?? "", session: session, from: browserRequest.caller)
            default: return OAuthAnswer.notFound
            }
            return browserRequest.redirect(to: PagePath.account.path)
        } catch {
            let browserRequest = readingRequest(form, browserRequest) ?? browserRequest
            return leave(error, browserRequest, to: AccountLocation(page, factor: id))
        }
    }

    /// Returns the page after a refusal that is not about a form: a challenge, the sign-in of a person whose session has
    /// ended, or the reason.
    private func leave(
        _ error: AuthError, _ browserRequest: ProviderPageRequest, to location: AccountLocation
    ) -> ServerResponse {
        switch error {
        case .invalidAccessToken, .sessionRevoked, .accountDisabled:
            browserRequest.redirect(to: browserRequest.link(to: .signIn, title: frame.name).url)
        case .challengeRefused: browserRequest.redisplay(challengeOver(browserRequest), error)
        default:
            continuation(of: error, browserRequest, to: browserRequest.asked == nil ? location : nil)
                ?? browserRequest.problem(error)
        }
    }

    private func checkStepUp(
        _ session: Secret<String>, for change: ProtectedChange, _ browserRequest: ProviderPageRequest
    ) async throws(AuthError) {
        try await provider.engine.serving(browserRequest.caller).checkStepUp(session, for: change)
    }

    // MARK: The account

    private func overview(
        _ session: Secret<String>, _ browserRequest: ProviderPageRequest
    ) async throws(AuthError) -> AccountOverview {
        try await provider.overview(session: session, from: browserRequest.caller)
    }

    private func account(_ overview: AccountOverview, _ browserRequest: ProviderPageRequest) -> HostedPage.Account {
        let account = overview.account
        return HostedPage.Account(
            fullName: account.fullName?.text, email: account.email?.text,
            name: browserRequest.link(to: .name, title: frame.name),
            password: account.passwordHash == nil ? nil : browserRequest.link(to: .password, title: frame.name),
            factors: overview.factors.map { factors($0, browserRequest) },
            sessions: overview.browsers.map { session in
                HostedPage.Account.Session(
                    device: UserAgentSummary(session.userAgent), address: session.address,
                    country: session.country, createdAt: session.createdAt, lastUsedAt: session.lastUsedAt,
                    end: session.isCurrent
                        ? nil : PageForm(action: PagePath.endSession.path, hidden: [["id", session.id.text]]))
            },
            devices: overview.devices.map { device in
                HostedPage.Account.Device(
                    device: UserAgentSummary(device.userAgent), address: device.address,
                    lastUsedAt: device.lastUsedAt, rememberedUntil: device.rememberedUntil, isCurrent: device.isCurrent,
                    forget: PageForm(action: PagePath.forgetDevice.path, hidden: [["id", device.id.text]]))
            },
            apps: overview.clients.map { client in
                HostedPage.Account.App(
                    name: client.name, wishes: Set(client.scopes.compactMap(Self.wish)), since: client.since,
                    lastUsedAt: client.lastUsedAt,
                    disconnect: PageForm(action: PagePath.disconnect.path, hidden: [["client", client.id]]))
            },
            signOut: PageForm(action: OpenIDProvider.Endpoint.endSession.path))
    }

    private func factors(_ list: FactorList, _ browserRequest: ProviderPageRequest) -> HostedPage.Account.Factors {
        HostedPage.Account.Factors(
            entries: list.factors.map { factor in
                HostedPage.Account.Factor(
                    name: factor.name, method: factor.type, createdAt: factor.createdAt,
                    lastUsedAt: factor.lastUsedAt, url: AccountLocation(.factor, factor: factor.id).url)
            },
            recoveryCodesLeft: list.recoveryCodesLeft,
            recoveryCodes: browserRequest.link(to: .recoveryCodes, title: frame.name),
            additions: additions(browserRequest).map { method in
                HostedPage.Account.Addition(
                    method: method,
                    url: method == .passkey ? PagePath.newPasskey.path : PagePath.authenticator.path)
            })
    }

    // MARK: Changes

    private func nameChange(_ fullName: String, _ problem: AuthError?) -> HostedPage {
        .nameChange(
            HostedPage.NameChange(
                form: PageForm(action: PagePath.name.path), fullName: fullName, account: accountLink, problem: problem))
    }

    private func changeName(
        _ form: [String: String], _ session: Secret<String>, _ browserRequest: ProviderPageRequest
    ) async throws(AuthError) -> ServerResponse {
        let name: PersonName
        do throws(AuthError) {
            guard let text = try Self.name(form) else { throw .invalid(.fullName, .missing) }
            name = text
        } catch {
            return browserRequest.redisplay(nameChange(form["full_name"] ?? "", error), error)
        }
        _ = try await provider.engine.serving(browserRequest.caller).perform(
            UpdateProfile(accessToken: session, fullName: name))
        return browserRequest.redirect(to: PagePath.account.path)
    }

    private func passwordChange(_ problem: AuthError?) -> HostedPage {
        .passwordChange(
            HostedPage.PasswordChange(
                form: PageForm(action: PagePath.password.path),
                minimumPasswordLength: provider.engine.app.passwords.minimumLength, account: accountLink,
                problem: problem))
    }

    private func changePassword(
        _ form: [String: String], _ session: Secret<String>, _ browserRequest: ProviderPageRequest
    ) async throws(AuthError) -> ServerResponse {
        do throws(AuthError) {
            let changed = try await provider.engine.serving(browserRequest.caller).perform(
                ChangePassword(
                    accessToken: session, currentPassword: Secret(form["current_password"] ?? ""),
                    newPassword: Secret(form["password"] ?? "")))
            let cookies = changed.tokens.map { [SessionCookie.setting($0, frame: frame)] } ?? []
            return browserRequest.setting(cookies, on: browserRequest.page(.passwordReplaced(account: accountLink)))
        } catch {
            switch error {
            case .invalid, .wrongCredentials, .tooManyAttempts, .busy, .unavailable:
                return browserRequest.redisplay(passwordChange(error), error)
            default: throw error
            }
        }
    }

    private func factorChange(_ factor: EnrolledFactor, of list: FactorList, _ problem: AuthError?) -> HostedPage {
        .factorChange(
            HostedPage.FactorChange(
                form: PageForm(action: PagePath.factor.path, hidden: [["id", factor.id.text]]), method: factor.type,
                name: factor.name, isLast: list.factors.count == 1, isRequired: list.isRequired, account: accountLink,
                problem: problem))
    }

    private func changeFactor(
        _ id: FactorID?, _ form: [String: String], _ session: Secret<String>, _ browserRequest: ProviderPageRequest
    ) async throws(AuthError) -> ServerResponse {
        guard let id else { throw .notFound }
        let engine = provider.engine.serving(browserRequest.caller)
        do throws(AuthError) {
            switch ProviderPageRequest.decision(in: form) {
            case "rename":
                _ = try await engine.perform(
                    RenameFactor(accessToken: session, factorID: id, name: try Self.factorName(form)))
            case "remove": _ = try await engine.perform(RemoveFactor(accessToken: session, factorID: id))
            default: return browserRequest.page(.problem(.malformedRequest), status: 400)
            }
            return browserRequest.redirect(to: PagePath.account.path)
        } catch {
            guard case .invalid = error else { throw error }
            let list = try await engine.perform(ListFactors(accessToken: session))
            guard var factor = list.factors.first(where: { $0.id == id }) else { throw .notFound }
            factor.name = form["name"] ?? factor.name
            return browserRequest.redisplay(factorChange(factor, of: list, error), error)
        }
    }
}
