import OstiaryCore
import OstiaryEngine

struct EnglishTexts: PageTexts {
    static let confirmationSent =
        "We have sent you a message. Open the link in it to finish your registration."

    static func mailed(_ text: String) -> Outcome {
        Outcome(
            heading: "Check your email",
            paragraphs: [
                text,
                "Nothing there after a few minutes? Look in your spam folder, or check the address and try again.",
            ])
    }

    let language = "en"

    let email = "Email"
    let password = "Password"
    let newPassword = "New password"
    let chosenPassword = "The password you chose"
    let fullName = "Name"
    let show = "Show"
    let hide = "Hide"
    let showPassword = "Show password"
    let hidePassword = "Hide password"

    func passwordRule(minimum: Int) -> String {
        "At least \(minimum) characters. Length protects best: a few words that do not belong together are easy to remember and hard to guess."
    }

    let signIn = "Sign in"
    func continueTo(_ client: String) -> Phrase { Phrase(before: "to continue to ", name: client) }
    let forgotPassword = "Forgot your password?"
    let isNew = "New here?"
    let register = "Create an account"
    let isKnown = "Already have an account?"
    let registrationSent = Self.mailed(Self.confirmationSent)

    let resetRequest = "Reset your password"
    let resetRequestLead = "Tell us your email address, and we will send you a link to choose a new password."
    let sendLink = "Send link"
    let resetSent = Self.mailed(
        "If there is an account with this address, a message with a link is on its way. The link works once, and not for long."
    )
    let resetPassword = "Choose a new password"
    let savePassword = "Save password"
    let backToSignIn = "Back to sign in"
    func passwordChanged(signingInHere here: Bool) -> Outcome {
        Outcome(
            heading: "Your password is changed",
            paragraphs: [
                here
                    ? "You have been signed out everywhere. From now on, sign in with your new password."
                    : "You have been signed out everywhere. Go back to the app and sign in with your new password."
            ])
    }
    let finishRegistration = "Finish your registration"
    let finishRegistrationLead = "Type the password that you chose when you registered. So only you can finish it."
    let finishRegistrationInApp = [
        "You registered with a passkey. So only you can finish it, the app asks for that passkey once more.",
        "Open the link of the message in the app, or copy the registration token from the message into the app.",
    ]
    func registrationConfirmed(signingInHere here: Bool) -> Outcome {
        Outcome(
            heading: "Your account is ready",
            paragraphs: [here ? "You can sign in now." : "You can go back to the app and sign in."])
    }
    func linkOver(_ link: MailedLink, renewedHere here: Bool) -> Outcome {
        let heading = "This link is no longer good"
        switch link {
        case .passwordReset:
            return Outcome(
                heading: heading,
                paragraphs: [
                    "It was used already, is too old, or a newer one was sent: only the newest counts.",
                    here ? "You can ask for a new one." : "Ask for a new one in the app.",
                ])
        case .registration:
            return Outcome(
                heading: heading,
                paragraphs: [
                    "It was used already or is too old. If your registration is finished, just sign in.",
                    here
                        ? "If not, create your account again."
                        : "If not, ask for a new one in the app: register again.",
                ])
        }
    }
    func renew(_ link: MailedLink) -> String {
        switch link {
        case .passwordReset: "Ask for a new link"
        case .registration: register
        }
    }

    let chooseProvider = "Choose how to sign in"
    let chooseAnotherProvider = "Choose another way to sign in"
    func button(for kind: HostedPage.Brand?, title: String) -> String {
        kind == nil ? "Continue with \(title)" : "Sign in with \(title)"
    }
    let consentHeading = "Allow access?"
    func consent(to client: String, for wishes: Set<HostedPage.Consent.RequestedClaim>) -> Phrase {
        let person =
            switch (wishes.contains(.name), wishes.contains(.email)) {
            case (true, true): " would like to know who you are: your name and your email address."
            case (true, false): " would like to know who you are: your name."
            case (false, true): " would like to know who you are: your email address."
            case (false, false): " would like to recognize you when you come back."
            }
        let presence = wishes.contains(.presence) ? " It would also like to stay signed in while you are away." : ""
        return Phrase(name: client, after: person + presence)
    }
    let consentNote = "Your password stays here. Nobody else gets to see it."
    let clientSignInHeading = "Continue signing in?"
    func clientSignIn(to client: String) -> Phrase { Phrase(name: client, after: " would like to sign you in.") }
    let clientSignInNote = "Continue only if you have just started to sign in to this app."
    let allow = "Allow"
    let deny = "Cancel"
    let useAnotherAccount = "Use another account"
    func mockSignInHeading(_ provider: String) -> String { "Sign in with \(provider)" }
    func mockSignIn(for provider: String) -> Phrase {
        Phrase(
            before: "This page simulates ", name: provider,
            after:
                " on a development server. Enter any name and address: no password is required, and nothing leaves this machine."
        )
    }

    let confirmSignOut = "Sign out?"
    let confirmSignOutLead = "You will have to sign in again before you can go on here."
    let signOut = "Sign out"
    let signedOut = Outcome(
        heading: "You are signed out", paragraphs: ["You can close this window. See you soon."])
    let account = "Your account"
    func signedIn(as person: String?) -> Phrase {
        person.map { Phrase(before: "You are signed in as ", name: $0, after: ".") }
            ?? Phrase(before: "You are signed in.")
    }
    func continueTo(to title: String) -> String { "Continue to \(title)" }

    let problemHeading = "That did not work"
    let error = "Error"
    func check(_ field: String) -> String { "Check the field “\(field)”." }

    let developmentServer = "Development server"
    let sentMessages = "Messages sent"
    let inbox = "Development inbox"
    let inboxIsEmpty = "Nothing was sent yet. Messages appear here instead of in a mailbox."
    let textMessage = "Text message"
    let openLink = "Open the link"
    func sent(to recipient: String) -> Phrase { Phrase(before: "to ", name: recipient) }
}
