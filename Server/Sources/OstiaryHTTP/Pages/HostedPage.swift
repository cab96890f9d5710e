import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryEngine

/// The content of a page for a person. Its appearance and texts follow from the content, the branding and the language;
/// the caller that shows the page handles its forms. Each case lists the names of its form's fields.
enum HostedPage: Hashable, Sendable {
    /// `email`, `password`
    case signIn(SignIn)
    /// `email`, `full_name`, `password`
    case register(Registration)
    /// Identical whether or not the address was new, against account enumeration.
    case registrationSent(signIn: Link?)
    /// `email`
    case forgotPassword(ResetRequest)
    /// Identical whether or not there is such an account, against account enumeration.
    case forgotPasswordSent(signIn: Link?)
    /// `password`
    case resetPassword(PageForm, minimumPasswordLength: Int = 8, problem: AuthError?)
    /// - Parameter signIn: Nil where the person signs in in an app.
    case passwordChanged(signIn: Link?)
    /// `password`
    case finishRegistration(PageForm, problem: AuthError?)
    /// A registration with a passkey, which the app confirms.
    case finishRegistrationInApp
    case registrationConfirmed(signIn: Link?)
    /// A mailed link that is no longer valid; `renewal` is the page that sends a new one, nil where that is done in the
    /// app.
    case linkOver(MailedLink, renewal: Link?)
    /// A sign-in, with the button by which the owner denies it.
    case denySignIn(PageForm, at: Date)
    case signInDenied(isResetSent: Bool)
    case denialLinkOver
    /// A change of second factors, with the button that undoes it.
    case undoFactorChange(PageForm, UndoableFactorChange)
    case factorChangeUndone(UndoableFactorChange, FactorUndoOutcome)
    case undoLinkOver
    /// `email`: the request for a device link.
    case deviceLinkRequest(ResetRequest)
    /// Identical whether or not there is such an account, against account enumeration.
    case deviceLinkSent(signIn: Link?)
    /// A device link, with the button by which the account recognizes the browser.
    case recognizeDevice(PageForm)
    case deviceRecognized(signIn: Link)
    /// A device link of an app, which the app on the device opens.
    case recognizeDeviceInApp
    /// - Parameter renewal: The page that sends a new link; nil where that is done in the app.
    case deviceLinkOver(renewal: Link?)
    /// The link of a recovery that is not open yet.
    case passkeyRecoveryWaits(until: Date)
    /// A recovery that the app completes: no passkey belongs to the page's address.
    case passkeyRecoveryInApp
    case passkeyRecovered
    case recoveryLinkOver
    case chooseProvider([Choice])
    /// `decision`: `allow` or `deny`
    case consent(Consent)
    case confirmSignOut(PageForm)
    case signedOut(continuing: Link?)
    /// `code` or `password`; a method's own page; see ``Challenge``
    case challenge(Challenge)
    /// A challenge that can no longer be answered.
    case challengeOver(signIn: Link)
    case enrolment(Enrolment)
    /// The introduction to an authenticator app. `decision`: `begin`
    case authenticatorIntroduction(PageForm, account: Link)
    case newAuthenticator(NewAuthenticator)
    case newPasskey(NewPasskey, account: Link?)
    case recoveryCodes(RecoveryCodes)
    /// A factor was added to an account that has recovery codes already.
    case factorAdded(ChallengeMethod, next: Link)
    /// `decision`: `replace`
    case recoveryCodeReplacement(PageForm, left: Int, account: Link)
    case account(Account)
    /// The part of the account page about factors, for a person who cannot confirm who it is.
    case factors(Account.Factors, account: Link)
    case nameChange(NameChange)
    case passwordChange(PasswordChange)
    /// The password was changed by its owner, who stays signed in.
    case passwordReplaced(account: Link)
    case factorChange(FactorChange)
    /// Development: simulates a social provider. `email`, `full_name`
    case mockSignIn(MockSignIn)
    case problem(Problem)

    struct SignIn: Hashable, Sendable {
        var form: PageForm
        /// The text entered before.
        var email = ""
        /// The client that the person signs in to; nil for the provider itself.
        var client: String?
        var register: Link?
        var forgotPassword: Link?
        /// The page that sends a device link; nil unless a recognized device would not have the problem.
        var deviceLink: Link?
        var passkey: PasskeyPrompt?
        /// `true` if the problem is that of a passkey.
        var isPasskeyRefused = false
        var problem: AuthError?

        /// The computation that the script does before the form is sent again.
        var proofOfWork: ProofOfWork? {
            if case .proofOfWorkRequired(let work, _) = problem { work } else { nil }
        }

        /// The hidden field with the solution.
        static let proofOfWorkField = "proof_of_work"
    }

    struct Registration: Hashable, Sendable {
        var form: PageForm
        var email = ""
        var fullName = ""
        var client: String?
        var signIn: Link?
        var minimumPasswordLength: Int
        var problem: AuthError?
    }

    struct ResetRequest: Hashable, Sendable {
        var form: PageForm
        /// The text entered before.
        var email = ""
        var signIn: Link?
        var problem: AuthError?
    }

    struct Consent: Hashable, Sendable {
        var form: PageForm
        var client: String
        var wishes: Set<RequestedClaim>
        /// The name of the account that is signed in; nil if it has no name to show.
        var person: String?
        var anotherAccount: Link?
        /// `true` if the person confirms a sign-in to a client of the same operator, and is asked for no data.
        var isConfirmation = false

        /// The data that the client asks for, besides the account's identity.
        enum RequestedClaim: Hashable, Sendable { case name, email, presence }
    }

    struct MockSignIn: Hashable, Sendable {
        var form: PageForm
        /// The simulated provider's display name.
        var provider: String
        /// The text entered before.
        var email = ""
        var fullName = ""
        var problem: AuthError?
    }

    struct Choice: Hashable, Sendable {
        /// A raw value of ``Brand`` gives a button that follows the brand's rules; any other gives a plain one.
        var kind: String
        var title: String
        var url: String
    }

    enum Brand: String, Hashable, Sendable { case google, apple, github }

    struct Link: Hashable, Sendable {
        var url: String
        /// The name of the link's target, for example the client's.
        var title: String
    }

    enum Problem: Hashable, Sendable {
        /// The sign-in is unknown, expired or finished, or was begun in another browser.
        case signInOver
        case redirectURIRefused
        case unknownClient
        case malformedRequest
        /// The form came from another page, or too late.
        case formExpired
        /// - Parameter choice: The page to choose another provider.
        case providerAway(incident: String?, choice: Link?)
        case refused(AuthError)
    }
}

/// A form of a page: its target and its hidden fields.
struct PageForm: Hashable, Sendable {
    var action: String
    /// Names and values, in order.
    var hidden: [[String]] = []
}
