import Foundation
import OstiaryCore
import OstiaryEngine

/// All texts of the pages in one language. A missing text is a compile error.
protocol PageTexts: AccountTexts {
    /// The primary subtag in lower case. Source: RFC 5646 §2.2.1.
    var language: String { get }

    // MARK: Fields

    var email: String { get }
    var password: String { get }
    var newPassword: String { get }
    var chosenPassword: String { get }
    var fullName: String { get }
    var show: String { get }
    var hide: String { get }
    var showPassword: String { get }
    var hidePassword: String { get }
    func passwordRule(minimum: Int) -> String

    // MARK: Signing in

    var signIn: String { get }
    func continueTo(_ client: String) -> Phrase
    var forgotPassword: String { get }
    var isNew: String { get }
    var register: String { get }
    var isKnown: String { get }
    var registrationSent: Outcome { get }

    // MARK: Passwords

    var resetRequest: String { get }
    var resetRequestLead: String { get }
    var sendLink: String { get }
    var resetSent: Outcome { get }
    var resetPassword: String { get }
    var savePassword: String { get }
    var backToSignIn: String { get }
    /// - Parameter here: `true` if people sign in at a hosted page, `false` if in an app.
    func passwordChanged(signingInHere here: Bool) -> Outcome
    var finishRegistration: String { get }
    var finishRegistrationLead: String { get }
    var finishRegistrationInApp: [String] { get }
    func registrationConfirmed(signingInHere here: Bool) -> Outcome
    /// - Parameter here: `true` if a hosted page sends a new link, `false` if an app does.
    func linkOver(_ link: MailedLink, renewedHere here: Bool) -> Outcome
    func renew(_ link: MailedLink) -> String

    // MARK: Recognized devices

    var isNewDevice: String { get }
    var sendDeviceLink: String { get }
    var deviceLinkLead: String { get }
    var deviceLinkSent: Outcome { get }
    var recognizeDevice: String { get }
    var recognizeDeviceLead: String { get }
    var recognizeDeviceInApp: String { get }
    var deviceRecognized: Outcome { get }
    func deviceLinkOver(renewedHere here: Bool) -> Outcome

    // MARK: Sign-ins

    func denySignIn(at time: Date) -> Outcome
    var signOutAndReset: String { get }
    /// - Parameter isResetSent: `true` if the link that sets a password was mailed.
    func signInDenied(isResetSent: Bool) -> Outcome
    var denialLinkOver: Outcome { get }

    // MARK: Second factors

    func undoFactorChange(_ change: UndoableFactorChange) -> Outcome
    var undoAndSignOut: String { get }
    func factorChangeUndone(_ change: UndoableFactorChange, _ outcome: FactorUndoOutcome) -> Outcome
    var undoLinkOver: Outcome { get }
    func passkeyRecoveryWaits(until opensAt: Date) -> Outcome
    var passkeyRecoveryInApp: String { get }
    var passkeyRecovered: Outcome { get }
    var recoveryLinkOver: Outcome { get }

    // MARK: Providers

    var chooseProvider: String { get }
    var chooseAnotherProvider: String { get }
    func button(for kind: HostedPage.Brand?, title: String) -> String
    func consent(to client: String, for wishes: Set<HostedPage.Consent.RequestedClaim>) -> Phrase
    var consentHeading: String { get }
    var consentNote: String { get }
    var clientSignInHeading: String { get }
    func clientSignIn(to client: String) -> Phrase
    var clientSignInNote: String { get }
    var allow: String { get }
    var deny: String { get }
    var useAnotherAccount: String { get }
    func mockSignIn(for provider: String) -> Phrase
    func mockSignInHeading(_ provider: String) -> String

    // MARK: Signing out

    var confirmSignOut: String { get }
    var confirmSignOutLead: String { get }
    var signOut: String { get }
    var signedOut: Outcome { get }
    var account: String { get }
    func signedIn(as person: String?) -> Phrase
    func continueTo(to title: String) -> String

    // MARK: Problems

    /// The heading above every refusal of a form.
    var problemHeading: String { get }
    /// The prefix of a page's title whose form was refused.
    var error: String { get }
    /// Returns a notice that names the field for which a form was refused; the reason stands at that field.
    func check(_ field: String) -> String
    func outcome(of problem: HostedPage.Problem) -> Outcome
    /// Returns what happened and what to do next.
    func text(of error: AuthError) -> String

    // MARK: Development

    var developmentServer: String { get }
    var sentMessages: String { get }
    var inbox: String { get }
    var inboxIsEmpty: String { get }
    var textMessage: String { get }
    var openLink: String { get }
    func sent(to recipient: String) -> Phrase
}

/// A sentence around a name.
struct Phrase: Hashable, Sendable {
    var before = ""
    var name = ""
    var after = ""
}

/// A page that concludes a task.
struct Outcome: Hashable, Sendable {
    var heading: String
    /// The result, and what to do next.
    var paragraphs: [String]
}

extension Date {
    /// The date and the time in UTC: `2026-11-25 10:00:00 UTC`.
    var timeInUTC: String {
        let style = Date.ISO8601FormatStyle(dateTimeSeparator: .space).year().month().day()
            .time(includingFractionalSeconds: false)
        return "\(formatted(style)) UTC"
    }
}
