import OstiaryCore
import OstiaryEngine

/// Everything that pages say, in one language. A language that lacks a text does not compile.
protocol PageTexts: Sendable {
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
    /// - Parameter here: Whether people sign in at a page of ours, or in an app.
    func passwordChanged(signingInHere here: Bool) -> Outcome
    var confirmRegistration: String { get }
    var confirmRegistrationLead: String { get }
    func registrationConfirmed(signingInHere here: Bool) -> Outcome
    /// - Parameter here: Whether a new one is to be had at a page of ours, or in an app.
    func linkOver(_ link: MailedLink, renewedHere here: Bool) -> Outcome
    func renew(_ link: MailedLink) -> String

    // MARK: Providers

    var chooseProvider: String { get }
    var chooseAnotherProvider: String { get }
    func button(for kind: HostedPage.Brand?, title: String) -> String
    func consent(to client: String, for wishes: Set<HostedPage.Consent.Wish>) -> Phrase
    var consentHeading: String { get }
    var consentNote: String { get }
    var allow: String { get }
    var deny: String { get }
    var useAnotherAccount: String { get }
    func standIn(for provider: String) -> Phrase
    func standInHeading(_ provider: String) -> String

    // MARK: Signing out

    var confirmSignOut: String { get }
    var confirmSignOutLead: String { get }
    var signOut: String { get }
    var signedOut: Outcome { get }
    var account: String { get }
    func signedIn(as person: String?) -> Phrase
    func goOn(to title: String) -> String

    // MARK: Problems

    /// What stands above every refusal of a form.
    var problemHeading: String { get }
    /// What the title of a page begins with whose form was refused.
    var error: String { get }
    /// Names the field that a form was refused for; why is told there.
    func check(_ field: String) -> String
    func outcome(of problem: HostedPage.Problem) -> Outcome
    /// What happened, and what to do next.
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

/// A sentence around something that has a name.
struct Phrase: Hashable, Sendable {
    var before = ""
    var name = ""
    var after = ""
}

/// A page at which something has come to its end.
struct Outcome: Hashable, Sendable {
    var heading: String
    /// What happened; what to do next.
    var paragraphs: [String]
}
