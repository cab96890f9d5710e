import Crypto
import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import Testing

@testable import OstiaryHTTP

/// A page of every kind, and with every kind of problem that is rendered differently.
struct PageSample: CustomTestStringConvertible {
    let name: String
    let page: HostedPage

    var testDescription: String { name }

    /// - Parameter text: The text at every place where a page shows untrusted text.
    static func all(_ text: String? = nil) -> [PageSample] {
        let form = PageForm(action: text ?? "/idp/sign-in", hidden: [["request", text ?? "r1"]])
        let link = HostedPage.Link(url: text ?? "/idp/register", title: text ?? "Timetracker")
        let email = text ?? "josephine@example.com"
        let signIn = HostedPage.SignIn(
            form: form, email: text ?? "", client: text ?? "Timetracker", register: link, forgotPassword: link)
        var passkeySignIn = signIn
        passkeySignIn.passkey = .authentication(form, options: text ?? "/idp/passkey/options", offersAutofill: true)
        var refusedPasskey = passkeySignIn
        refusedPasskey.isPasskeyRefused = true
        refusedPasskey.problem = .wrongCredentials
        var refusedSignIn = signIn
        refusedSignIn.email = email
        refusedSignIn.problem = .wrongCredentials
        let registration = HostedPage.Registration(
            form: form, email: text ?? "", fullName: text ?? "", client: text ?? "Timetracker", signIn: link,
            minimumPasswordLength: 10)
        var refusedRegistration = registration
        refusedRegistration.email = email
        refusedRegistration.fullName = text ?? "Josephine"
        refusedRegistration.problem = .invalid(.password, .tooCommon)
        let resetRequest = HostedPage.ResetRequest(form: form, email: text ?? "", signIn: link)
        var refusedResetRequest = resetRequest
        refusedResetRequest.email = email
        refusedResetRequest.problem = .tooManyAttempts(retryAfterSeconds: 240)
        let consent = HostedPage.Consent(
            form: form, client: text ?? "Timetracker", wishes: [.name, .email, .presence], person: email,
            anotherAccount: link)
        var confirmation = consent
        confirmation.isConfirmation = true
        let mockSignIn = HostedPage.MockSignIn(form: form, provider: text ?? "Google")
        var refusedMockSignIn = mockSignIn
        refusedMockSignIn.email = text ?? "josephine"
        refusedMockSignIn.fullName = text ?? "Josephine"
        refusedMockSignIn.problem = .invalid(.email, .malformed)
        let choices = ["google", "apple", "github", "oidc"].map {
            HostedPage.Choice(
                kind: text ?? $0,
                title: text ?? ["google": "Google", "apple": "Apple", "github": "GitHub"][$0] ?? "Nordwind",
                url: text ?? "/auth/login?provider=\($0)")
        }
        return [
            PageSample(name: "sign-in", page: .signIn(signIn)),
            PageSample(name: "sign-in-refused", page: .signIn(refusedSignIn)),
            PageSample(name: "sign-in-passkey", page: .signIn(passkeySignIn)),
            PageSample(name: "sign-in-passkey-refused", page: .signIn(refusedPasskey)),
            PageSample(name: "register", page: .register(registration)),
            PageSample(name: "register-refused", page: .register(refusedRegistration)),
            PageSample(name: "registration-sent", page: .registrationSent(signIn: link)),
            PageSample(name: "forgot-password", page: .forgotPassword(resetRequest)),
            PageSample(name: "forgot-password-refused", page: .forgotPassword(refusedResetRequest)),
            PageSample(name: "forgot-password-sent", page: .forgotPasswordSent(signIn: link)),
            PageSample(name: "reset-password", page: .resetPassword(form, problem: nil)),
            PageSample(
                name: "reset-password-refused",
                page: .resetPassword(
                    form, minimumPasswordLength: 12, problem: .invalid(.password, .tooShort(minimum: 12)))),
            PageSample(name: "password-changed", page: .passwordChanged(signIn: link)),
            PageSample(name: "confirm-registration", page: .finishRegistration(form, problem: nil)),
            PageSample(name: "confirm-in-app", page: .finishRegistrationInApp),
            PageSample(name: "registration-confirmed", page: .registrationConfirmed(signIn: nil)),
            PageSample(name: "reset-over", page: .linkOver(.passwordReset, renewal: link)),
            PageSample(name: "registration-over", page: .linkOver(.registration, renewal: nil)),
            PageSample(
                name: "deny-sign-in",
                page: .denySignIn(
                    PageForm(action: text ?? "deny-sign-in", hidden: [["token", text ?? "t1"]]),
                    at: Date(timeIntervalSince1970: 1_800_000_000))),
            PageSample(name: "sign-in-denied", page: .signInDenied(isResetSent: true)),
            PageSample(name: "sign-in-denied-without-reset", page: .signInDenied(isResetSent: false)),
            PageSample(name: "denial-over", page: .denialLinkOver),
            PageSample(
                name: "undo-factor-change",
                page: .undoFactorChange(
                    PageForm(action: text ?? "undo-factor-change", hidden: [["token", text ?? "t1"]]), change(.added))),
            PageSample(name: "undone-addition", page: .factorChangeUndone(change(.added), .undone)),
            PageSample(name: "undone-addition-kept", page: .factorChangeUndone(change(.added), .additionKept)),
            PageSample(name: "undone-codes-kept", page: .factorChangeUndone(codes, .additionKept)),
            PageSample(name: "undone-incomplete", page: .factorChangeUndone(change(.removed), .incomplete)),
            PageSample(name: "undo-codes", page: .undoFactorChange(form, codes)),
            PageSample(name: "undo-over", page: .undoLinkOver),
            PageSample(
                name: "recovery-waits",
                page: .passkeyRecoveryWaits(until: Date(timeIntervalSince1970: 1_800_000_000))),
            PageSample(name: "recovery-in-app", page: .passkeyRecoveryInApp),
            PageSample(name: "recovered", page: .passkeyRecovered),
            PageSample(name: "recovery-over", page: .recoveryLinkOver),
            PageSample(name: "choose-provider", page: .chooseProvider(choices)),
            PageSample(name: "consent", page: .consent(consent)),
            PageSample(name: "confirm-sign-in", page: .consent(confirmation)),
            PageSample(name: "confirm-sign-out", page: .confirmSignOut(form)),
            PageSample(name: "signed-out", page: .signedOut(continuing: link)),
            PageSample(name: "stand-in", page: .mockSignIn(mockSignIn)),
            PageSample(name: "stand-in-refused", page: .mockSignIn(refusedMockSignIn)),
            PageSample(
                name: "device-link-request",
                page: .deviceLinkRequest(HostedPage.ResetRequest(form: form, email: text ?? "", signIn: link))),
            PageSample(name: "device-link-sent", page: .deviceLinkSent(signIn: link)),
            PageSample(name: "recognize-device", page: .recognizeDevice(form)),
            PageSample(name: "device-recognized", page: .deviceRecognized(signIn: link)),
            PageSample(name: "recognize-device-in-app", page: .recognizeDeviceInApp),
            PageSample(name: "device-link-over", page: .deviceLinkOver(renewal: link)),
            PageSample(name: "device-link-over-in-app", page: .deviceLinkOver(renewal: nil)),
        ] + secondFactors(text, form, link) + account(text, form, link)
            + problems(text).map { PageSample(name: "problem-\($0.name)", page: .problem($0.problem)) }
    }

    private static func secondFactors(
        _ text: String?, _ form: PageForm, _ link: HostedPage.Link
    ) -> [PageSample] {
        func challenge(
            _ method: ChallengeMethod, _ change: (inout HostedPage.Challenge) -> Void = { _ in }
        ) -> HostedPage {
            var page = HostedPage.Challenge(form: form, method: method, client: text ?? "Timetracker")
            page.others = [.passkey, .totp, .smsCode, .recoveryCode].filter { $0 != method }
            change(&page)
            return .challenge(page)
        }
        let authenticator = HostedPage.NewAuthenticator(
            form: form,
            uri: Secret("otpauth://totp/\((text ?? "Nordwind").replacing("\0", with: ""))?secret=GEZDGNBVGY3TQOJQ"),
            key: Secret(text ?? "GEZDGNBVGY3TQOJQ"), name: text)
        var refusedAuthenticator = authenticator
        refusedAuthenticator.problem = .codeRefused
        let passkey = HostedPage.NewPasskey(form: form, options: text ?? "/idp/account/passkey/options", name: text)
        var refusedPasskey = passkey
        refusedPasskey.problem = .credentialRefused
        let codes = (0..<10).map { _ in Secret(text ?? "GEZDG-NBVGY") }
        let prompt = HostedPage.PasskeyPrompt.authentication(form, options: text ?? "/idp/challenge/passkey")
        return [
            PageSample(name: "challenge-totp", page: challenge(.totp)),
            PageSample(name: "challenge-totp-refused", page: challenge(.totp) { $0.problem = .codeRefused }),
            PageSample(
                name: "challenge-limited",
                page: challenge(.totp) { $0.problem = .tooManyAttempts(retryAfterSeconds: 240) }),
            PageSample(
                name: "challenge-remembering",
                page: challenge(.totp) { $0.remembering = HostedPage.Challenge.Remembering(days: 30) }),
            PageSample(
                name: "challenge-passkey-remembering",
                page: challenge(.passkey) {
                    $0.passkey = prompt
                    $0.remembering = HostedPage.Challenge.Remembering(days: 1, isChosen: true)
                }),
            PageSample(name: "challenge-recovery", page: challenge(.recoveryCode)),
            PageSample(name: "challenge-passkey", page: challenge(.passkey) { $0.passkey = prompt }),
            PageSample(name: "challenge-passkey-unavailable", page: challenge(.passkey) { $0.passkey = .unavailable }),
            PageSample(name: "challenge-sms", page: challenge(.smsCode)),
            PageSample(name: "challenge-sms-sent", page: challenge(.smsCode) { $0.isSent = true }),
            PageSample(
                name: "step-up",
                page: challenge(.password) {
                    $0.isStepUp = true
                    $0.canDecline = true
                    $0.factors = link
                }),
            PageSample(name: "challenge-expired", page: .challengeOver(signIn: link)),
            PageSample(
                name: "enrolment",
                page: .enrolment(
                    HostedPage.Enrolment(form: form, client: text ?? "Timetracker", methods: [.passkey, .totp]))),
            PageSample(name: "authenticator-introduction", page: .authenticatorIntroduction(form, account: link)),
            PageSample(name: "new-authenticator", page: .newAuthenticator(authenticator)),
            PageSample(name: "new-authenticator-refused", page: .newAuthenticator(refusedAuthenticator)),
            PageSample(name: "new-passkey", page: .newPasskey(passkey, account: link)),
            PageSample(name: "new-passkey-refused", page: .newPasskey(refusedPasskey, account: nil)),
            PageSample(
                name: "new-passkey-unavailable",
                page: .newPasskey(HostedPage.NewPasskey(options: "/idp/account/passkey/options"), account: link)),
            PageSample(
                name: "recovery-codes",
                page: .recoveryCodes(HostedPage.RecoveryCodes(codes: codes, added: .totp, next: link))),
            PageSample(name: "factor-added", page: .factorAdded(.passkey, next: link)),
            PageSample(
                name: "recovery-code-replacement", page: .recoveryCodeReplacement(form, left: 2, account: link)),
        ]
    }

    private static func account(_ text: String?, _ form: PageForm, _ link: HostedPage.Link) -> [PageSample] {
        let time = Date(timeIntervalSince1970: 1_795_600_800)
        let url = text ?? "/idp/account/factor?id=f1"
        let factors = HostedPage.Account.Factors(
            entries: [
                HostedPage.Account.Factor(
                    name: text ?? "Phone", method: .totp, createdAt: time, lastUsedAt: time, url: url),
                HostedPage.Account.Factor(
                    name: text ?? "Laptop", method: .passkey, createdAt: time, lastUsedAt: nil, url: url),
            ], recoveryCodesLeft: 8, recoveryCodes: link,
            additions: [.init(method: .passkey, url: url), .init(method: .totp, url: url)])
        let account = HostedPage.Account(
            fullName: text ?? "Josephine", email: text ?? "josephine@example.com", name: link, password: link,
            factors: factors,
            sessions: [
                HostedPage.Account.Session(
                    device: UserAgentSummary("Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0"),
                    address: text ?? "192.0.2.7", createdAt: time, lastUsedAt: time, end: nil),
                HostedPage.Account.Session(
                    device: UserAgentSummary(text), address: nil, createdAt: time, lastUsedAt: time, end: form),
            ],
            devices: [
                HostedPage.Account.Device(
                    device: UserAgentSummary("Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0"),
                    address: text ?? "192.0.2.7", lastUsedAt: time, rememberedUntil: time, isCurrent: true, forget: form
                ),
                HostedPage.Account.Device(
                    device: UserAgentSummary(text), lastUsedAt: time, isCurrent: false, forget: form),
            ],
            apps: [
                HostedPage.Account.App(
                    name: text ?? "Timetracker", wishes: [.name, .email], since: time, lastUsedAt: time,
                    disconnect: form)
            ], signOut: form)
        var plain = account
        plain.factors?.entries = []
        plain.apps = []
        plain.devices = []
        let name = HostedPage.NameChange(form: form, fullName: text ?? "Josephine", account: link)
        let password = HostedPage.PasswordChange(form: form, minimumPasswordLength: 10, account: link)
        var refusedPassword = password
        refusedPassword.problem = .wrongCredentials
        let factor = HostedPage.FactorChange(
            form: form, method: .totp, name: text ?? "Phone", isLast: true, account: link)
        var required = factor
        required.isRequired = true
        return [
            PageSample(name: "account", page: .account(account)),
            PageSample(name: "account-without-factors", page: .account(plain)),
            PageSample(name: "factors", page: .factors(factors, account: link)),
            PageSample(name: "change-name", page: .nameChange(name)),
            PageSample(name: "change-password", page: .passwordChange(password)),
            PageSample(name: "change-password-refused", page: .passwordChange(refusedPassword)),
            PageSample(name: "password-replaced", page: .passwordReplaced(account: link)),
            PageSample(name: "change-factor", page: .factorChange(factor)),
            PageSample(name: "change-required-factor", page: .factorChange(required)),
        ]
    }

    private static let codes = UndoableFactorChange(change: .recoveryCodesReplaced, kind: nil, at: noon)
    private static let noon = Date(timeIntervalSince1970: 1_800_000_000)

    private static func change(_ change: FactorChange) -> UndoableFactorChange {
        UndoableFactorChange(change: change, kind: .passkey, at: noon)
    }

    private static func problems(_ text: String?) -> [(name: String, problem: HostedPage.Problem)] {
        [
            ("over", .signInOver), ("redirect-uri", .redirectURIRefused), ("client", .unknownClient),
            ("malformed", .malformedRequest), ("expired", .formExpired),
            (
                "away",
                .providerAway(
                    incident: text ?? "5f0c-11d2",
                    choice: HostedPage.Link(url: text ?? "/auth/choose", title: text ?? "Timetracker"))
            ),
            ("refused", .refused(.unavailable(incident: text ?? "5f0c-11d2"))),
        ]
    }

    static let keys = KeyRing(master: SymmetricKey(data: [UInt8](repeating: 7, count: 32)))
    static let browser = Secret(Base64URL.encode([UInt8](repeating: 9, count: 32)))
    static let frame = Branding(name: "Nordwind", keys: keys, isSecure: true, isDevelopment: false)
    static let request = WireRequest(method: "GET", path: "/")

    func response(
        in frame: Branding = Self.frame, to request: WireRequest = Self.request, leadingTo: [String] = []
    ) -> ServerResponse {
        page.response(in: frame, for: request, browser: Self.browser, leadingTo: leadingTo)
    }

    func html(in frame: Branding = Self.frame, language: String = "en") -> String {
        var request = Self.request
        request.headers["accept-language"] = language
        return String(decoding: response(in: frame, to: request).body, as: UTF8.self)
    }
}
