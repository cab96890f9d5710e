import Foundation

extension EnglishTexts {
    var signOutAndReset: String { "This was not me" }

    func denySignIn(at time: Date) -> Outcome {
        Outcome(
            heading: "Was this not you?",
            paragraphs: [
                "Somebody signed in to your account, or tried to, with your credentials.", "When: \(time.timeInUTC)",
                "The button signs your account out on all devices and makes your password unusable. You get a message with a link that sets a new one.",
                "If it was you, just close this page.",
            ])
    }

    func signInDenied(isResetSent: Bool) -> Outcome {
        Outcome(
            heading: "Your account is signed out on all devices",
            paragraphs: isResetSent
                ? [
                    "The password no longer works. Open the link of the message that we have just sent you, and choose a new one.",
                    "If you use the old password elsewhere, change it there too.",
                ]
                : ["Go back to the app and sign in. If you used a password, ask for a link there that sets a new one."])
    }

    var denialLinkOver: Outcome {
        Outcome(
            heading: "This link is no longer good",
            paragraphs: [
                "It was used already, is too old, or the password was changed since. Nothing was changed now.",
                "If somebody else may use your account, change your password in the app.",
            ])
    }
}
