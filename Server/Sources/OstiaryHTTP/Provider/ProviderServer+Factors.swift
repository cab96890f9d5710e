import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryProvider

/// The credential of a person who adds a factor: the browser's session, or the token of a sign-in that requires one.
struct FactorCredential {
    let accessToken: Secret<String>
    /// `true` if the sign-in is completed by the addition.
    let isEnrolment: Bool

    /// The hidden field with the token of a sign-in.
    static let field = "enrolment_token"

    /// - Throws: ``AuthError/invalidAccessToken`` if there is neither.
    init(_ form: [String: String], _ browserRequest: ProviderPageRequest) throws(AuthError) {
        if let token = form[Self.field] {
            (accessToken, isEnrolment) = (Secret(token), true)
        } else if let session = browserRequest.session {
            (accessToken, isEnrolment) = (session, false)
        } else {
            throw .invalidAccessToken
        }
    }

    /// The hidden fields by which a page's form keeps the credential.
    var hidden: [[String]] { isEnrolment ? [[Self.field, accessToken.reveal()]] : [] }
}

/// The addition of second factors.
extension ProviderServer {
    /// The choice of a factor, for a sign-in or a client that requires one.
    ///
    /// - Parameter token: The token of a sign-in; nil for the person who is signed in.
    func enrolmentPage(_ browserRequest: ProviderPageRequest, token: Secret<String>? = nil) -> ServerResponse {
        let hidden = token.map { [[FactorCredential.field, $0.reveal()]] } ?? []
        return browserRequest.page(
            .enrolment(
                HostedPage.Enrolment(
                    form: PageForm(action: PagePath.enrolment.path, hidden: hidden + browserRequest.hidden),
                    client: token == nil ? browserRequest.asked?.client.name : nil,
                    methods: additions(browserRequest))))
    }

    /// Returns the methods that can be added in this browser.
    func additions(_ browserRequest: ProviderPageRequest) -> [ChallengeMethod] {
        provider.engine.app.secondFactor.methods.filter {
            $0 == .totp || $0 == .passkey && canUsePasskeys(browserRequest)
        }
    }

    func takeEnrolment(_ form: [String: String], _ browserRequest: ProviderPageRequest) async throws(AuthError)
        -> ServerResponse
    {
        switch ProviderPageRequest.decision(in: form) {
        case ChallengeMethod.totp.rawValue: return try await takeAuthenticator(form, browserRequest)
        case ChallengeMethod.passkey.rawValue:
            return browserRequest.page(newPasskey(try FactorCredential(form, browserRequest), browserRequest))
        case "deny":
            guard form[FactorCredential.field] == nil, let asked = browserRequest.asked,
                let parameters = ProviderParameters.read(asked.query)
            else { return signInPage(browserRequest, email: "") }
            return show(provider.declineLevel(parameters), browserRequest)
        default: return browserRequest.page(.problem(.malformedRequest), status: 400)
        }
    }

    // MARK: Authenticator apps

    func takeAuthenticator(_ form: [String: String], _ browserRequest: ProviderPageRequest) async throws(AuthError)
        -> ServerResponse
    {
        let credential = try FactorCredential(form, browserRequest)
        let engine = provider.engine.serving(browserRequest.caller)
        guard let id = form["factor_id"], let uri = form["uri"] else {
            let pending = try await engine.perform(BeginTOTP(accessToken: credential.accessToken))
            return browserRequest.page(
                newAuthenticator(pending.factorID, pending.uri, key: pending.secret, credential, browserRequest))
        }
        guard let factorID = try? FactorID(id), let key = Self.key(of: uri) else {
            return browserRequest.page(.problem(.malformedRequest), status: 400)
        }
        do throws(AuthError) {
            let confirmation = try await engine.perform(
                ConfirmTOTP(
                    accessToken: credential.accessToken, factorID: factorID, code: try Self.code(form),
                    name: try Self.factorName(form)))
            return await finish(.totp, confirmation, browserRequest, codes: \.codes)
        } catch {
            switch error {
            case .invalid, .codeRefused, .tooManyAttempts, .busy, .unavailable:
                let page = newAuthenticator(
                    factorID, Secret(uri), key: key, credential, browserRequest, form["name"], error)
                return browserRequest.redisplay(page, error)
            default: throw error
            }
        }
    }

    private func newAuthenticator(
        _ id: FactorID, _ uri: Secret<String>, key: Secret<String>, _ credential: FactorCredential,
        _ browserRequest: ProviderPageRequest, _ name: String? = nil, _ problem: AuthError? = nil
    ) -> HostedPage {
        .newAuthenticator(
            HostedPage.NewAuthenticator(
                form: PageForm(
                    action: PagePath.authenticator.path,
                    hidden: [["factor_id", id.text], ["uri", uri.reveal()]] + credential.hidden + browserRequest.hidden),
                uri: uri, key: key, name: name, problem: problem))
    }

    /// Returns the key in an `otpauth:` URI; nil for any other URI. The browser returns the URI of its own page.
    private static func key(of uri: String) -> Secret<String>? {
        guard uri.utf8.count <= QRCode.maximumBytes, uri.utf8.starts(with: "otpauth://totp/".utf8),
            let query = uri.utf8.firstIndex(of: UInt8(ascii: "?"))
        else { return nil }
        return FormValues(String(uri[query...].dropFirst()))["secret"].map { Secret($0) }
    }

    private static func code(_ form: [String: String]) throws(AuthError) -> OneTimeCode {
        let text = withoutSpaces(form["code"] ?? "")
        guard !text.isEmpty else { throw .invalid(.answers, .missing) }
        do throws(FieldProblem) { return try OneTimeCode(text) } catch { throw .codeRefused }
    }

    static func factorName(_ form: [String: String]) throws(AuthError) -> FactorName {
        do throws(FieldProblem) { return try FactorName(form["name"] ?? "") } catch { throw .invalid(.name, error) }
    }

    // MARK: Passkeys

    func newPasskey(
        _ credential: FactorCredential, _ browserRequest: ProviderPageRequest, _ name: String? = nil,
        _ problem: AuthError? = nil
    ) -> HostedPage {
        let form = PageForm(action: PagePath.newPasskey.path, hidden: credential.hidden + browserRequest.hidden)
        return .newPasskey(
            HostedPage.NewPasskey(
                form: canUsePasskeys(browserRequest) ? form : nil, options: PagePath.newPasskeyOptions.path, name: name,
                problem: problem), account: browserRequest.asked == nil && !credential.isEnrolment ? accountLink : nil)
    }

    func takeNewPasskey(_ form: [String: String], _ browserRequest: ProviderPageRequest) async throws(AuthError)
        -> ServerResponse
    {
        let credential = try FactorCredential(form, browserRequest)
        do throws(AuthError) {
            let confirmation = try await provider.engine.serving(browserRequest.caller).perform(
                RegisterPasskey(
                    accessToken: credential.accessToken, passkeyToken: Secret(form["passkey_token"] ?? ""),
                    credential: form["credential"] ?? "", name: try Self.factorName(form)))
            return await finish(.passkey, confirmation, browserRequest, codes: \.recoveryCodes)
        } catch {
            switch error {
            case .challengeRefused where credential.isEnrolment: throw error
            case .invalid, .credentialRefused, .challengeRefused, .tooManyAttempts, .busy, .unavailable:
                return browserRequest.redisplay(newPasskey(credential, browserRequest, form["name"], error), error)
            default: throw error
            }
        }
    }

    // MARK: Afterwards

    var accountLink: HostedPage.Link { HostedPage.Link(url: PagePath.account.path, title: frame.name) }

    /// Shows the recovery codes if the factor came with them, and where the person can go on; signs the browser in if the
    /// factor completed a sign-in.
    private func finish<Added>(
        _ method: ChallengeMethod, _ confirmation: FactorConfirmation<Added>, _ browserRequest: ProviderPageRequest,
        codes recoveryCodes: (Added) -> [Secret<String>]?
    ) async -> ServerResponse {
        let codes: [Secret<String>]?
        var cookies: [String] = []
        var next =
            browserRequest.asked.map { asked in
                HostedPage.Link(
                    url: "\(OpenIDProvider.Endpoint.authorization.path)?\(asked.query)", title: asked.client.name)
            } ?? accountLink
        switch confirmation {
        case .added(let added): codes = recoveryCodes(added)
        case .signedIn(let signedIn, let stored):
            codes = stored
            cookies = await self.cookies(of: signedIn, browserRequest)
            if let asked = browserRequest.asked { next.url = await url(of: asked, after: signedIn) }
        }
        let page: HostedPage =
            codes.map { .recoveryCodes(HostedPage.RecoveryCodes(codes: $0, added: method, next: next)) }
            ?? .factorAdded(method, next: next)
        return browserRequest.setting(cookies, on: browserRequest.page(page))
    }
}
