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
            PageSample(name: "registration-confirmed", page: .registrationConfirmed(signIn: nil)),
            PageSample(name: "reset-over", page: .linkOver(.passwordReset, renewal: link)),
            PageSample(name: "registration-over", page: .linkOver(.registration, renewal: nil)),
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
            PageSample(name: "choose-provider", page: .chooseProvider(choices)),
            PageSample(name: "consent", page: .consent(consent)),
            PageSample(name: "confirm-sign-out", page: .confirmSignOut(form)),
            PageSample(name: "signed-out", page: .signedOut(continuing: link)),
            PageSample(name: "account", page: .account(name: text ?? "Josephine", email: email, signOut: form)),
            PageSample(name: "stand-in", page: .mockSignIn(mockSignIn)),
            PageSample(name: "stand-in-refused", page: .mockSignIn(refusedMockSignIn)),
        ] + problems(text).map { PageSample(name: "problem-\($0.name)", page: .problem($0.problem)) }
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
