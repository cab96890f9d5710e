import OstiaryContracts
import OstiaryCore

extension HostedPage {
    /// A challenge that the person answers: the second factor of a sign-in, or the step-up of a session.
    struct Challenge: Hashable, Sendable {
        /// The form of the answer, and that of the other methods.
        var form: PageForm
        /// The method that the page asks for.
        var method: ChallengeMethod
        /// The methods to switch to.
        var others: [ChallengeMethod] = []
        /// `true` to confirm the person who is signed in.
        var isStepUp = false
        /// The client that the person signs in to; nil for the provider itself.
        var client: String?
        /// `true` once a code was sent by the method.
        var isSent = false
        /// The passkey's part of the page, where the method is a passkey.
        var passkey: PasskeyPrompt?
        /// `true` if the page has a button to decline.
        var canDecline = false
        /// The page of the factors, for a person who lost one; nil for a sign-in.
        var factors: Link?
        /// Nil where the browser cannot be remembered.
        var remembering: Remembering?
        var problem: AuthError?

        /// `true` if a code must be sent before it can be typed.
        var mustSend: Bool { isSentCode && !isSent }
        var isSentCode: Bool { method == .smsCode || method == .emailCode }

        /// The choice to skip the factor in this browser for a time.
        struct Remembering: Hashable, Sendable {
            var days: Int
            var isChosen = false
        }
    }

    /// The part of a page where the script asks an authenticator.
    enum PasskeyPrompt: Hashable, Sendable {
        /// - Parameters:
        ///   - form: Receives the authenticator's response.
        ///   - options: The URL from which the script fetches the options.
        ///   - offersAutofill: `true` to offer passkeys in the fields of the page too (conditional mediation).
        case authentication(PageForm, options: String, offersAutofill: Bool = false)
        /// - Parameter name: The name of the passkey, for the person to change.
        case registration(PageForm, options: String, name: String)
        /// The browser opened the page at an address that no passkey belongs to.
        case unavailable
    }

    /// The choice of a second factor to add. `decision`: a method, or `deny`
    struct Enrolment: Hashable, Sendable {
        var form: PageForm
        /// The client that asks for a second factor; nil if the provider requires one.
        var client: String?
        var methods: [ChallengeMethod]
    }

    /// An authenticator app to add. `code`, `name`
    struct NewAuthenticator: Hashable, Sendable {
        var form: PageForm
        /// The `otpauth:` URI, which contains the key.
        var uri: Secret<String>
        /// The key in base32.
        var key: Secret<String>
        /// The text entered before; nil for the usual name.
        var name: String?
        var problem: AuthError?
    }

    /// A passkey to add. `name`
    struct NewPasskey: Hashable, Sendable {
        /// Nil where the browser's address allows no passkey.
        var form: PageForm?
        var options: String
        /// The text entered before; nil for the usual name.
        var name: String?
        var problem: AuthError?
    }

    /// Recovery codes, which are shown once.
    struct RecoveryCodes: Hashable, Sendable {
        var codes: [Secret<String>]
        /// The factor that they came with; nil if they replace earlier ones.
        var added: ChallengeMethod?
        var next: Link
    }
}
