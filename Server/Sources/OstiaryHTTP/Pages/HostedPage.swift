import OstiaryContracts
import OstiaryCore
import OstiaryEngine

/// A page for a person: what it is about. How it looks and what it says follows from that, the frame and the language;
/// what happens with its forms is up to whoever shows it. The names of a form's fields stand at its case.
enum HostedPage: Hashable, Sendable {
    /// `email`, `password`
    case signIn(SignIn)
    /// `email`, `full_name`, `password`
    case register(Registration)
    /// Says the same whether or not the address was new.
    case registrationSent(signIn: Link?)
    /// `email`
    case forgotPassword(ResetRequest)
    /// Says the same whether or not there is such an account.
    case forgotPasswordSent(signIn: Link?)
    /// `password`
    case resetPassword(PageForm, minimumPasswordLength: Int = 8, problem: AuthError?)
    /// - Parameter signIn: Nil where the person signs in in an app.
    case passwordChanged(signIn: Link?)
    /// `password`
    case confirmRegistration(PageForm, problem: AuthError?)
    case registrationConfirmed(signIn: Link?)
    /// The link of a mail that is no longer good; where there is a new one, nil for in the app.
    case linkOver(MailedLink, renewal: Link?)
    case chooseProvider([Choice])
    /// `decision`: `allow` or `deny`
    case consent(Consent)
    case confirmSignOut(PageForm)
    case signedOut(continuing: Link?)
    /// Who is signed in at the provider; a way out.
    case account(name: String?, email: String?, signOut: PageForm)
    /// Development: plays a social provider. `email`, `full_name`
    case standIn(StandIn)
    case problem(Problem)

    struct SignIn: Hashable, Sendable {
        var form: PageForm
        /// What the person typed before.
        var email = ""
        /// What they sign in to; nil for the provider itself.
        var client: String?
        var register: Link?
        var forgotPassword: Link?
        var problem: AuthError?
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
        /// What the person typed before.
        var email = ""
        var signIn: Link?
        var problem: AuthError?
    }

    struct Consent: Hashable, Sendable {
        var form: PageForm
        var client: String
        var wishes: Set<Wish>
        /// Who is signed in; nil if nothing is known by which people know each other.
        var person: String?
        var anotherAccount: Link?

        /// What the client asks for, besides to know the person again.
        enum Wish: Hashable, Sendable { case name, email, presence }
    }

    struct StandIn: Hashable, Sendable {
        var form: PageForm
        /// What is played, as people call it.
        var provider: String
        /// What the person typed before.
        var email = ""
        var fullName = ""
        var problem: AuthError?
    }

    struct Choice: Hashable, Sendable {
        /// One of ``Brand``, by raw value, has a button after its brand's rules; others have a plain one.
        var kind: String
        var title: String
        var url: String
    }

    enum Brand: String, Hashable, Sendable { case google, apple, github }

    struct Link: Hashable, Sendable {
        var url: String
        /// What is at its other end, for example the client's name.
        var title: String
    }

    enum Problem: Hashable, Sendable {
        /// The sign-in is unknown, over, or was begun in another browser.
        case signInOver
        case redirectURIRefused
        case unknownClient
        case malformedRequest
        /// The form came from another page, or too late.
        case formExpired
        /// - Parameter choice: Where another can be chosen.
        case providerAway(incident: String, choice: Link?)
        case refused(AuthError)
    }
}

/// A form of a page: where it goes and what it carries along unseen.
struct PageForm: Hashable, Sendable {
    var action: String
    /// Names and values, in order.
    var hidden: [[String]] = []
}
