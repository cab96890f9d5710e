extension EnglishTexts {
    var isNewDevice: String { "A new device?" }
    var sendDeviceLink: String { "Sign in on a new device" }
    var deviceLinkLead: String {
        "Somebody tried many passwords for your account. Tell us your email address, and we will send you a link. Open it on this device, then sign in."
    }
    var deviceLinkSent: Outcome {
        Self.mailed(
            "If there is an account with this address, a message with a link is on its way. Open it on this device, then sign in. The link works once, and not for long."
        )
    }
    var recognizeDevice: String { "Recognize this device" }
    var recognizeDeviceLead: String {
        "Your account recognizes this browser from now on, so that nobody else's wrong passwords keep you out. Signing in needs your password as before."
    }
    var recognizeDeviceInApp: String {
        "Open the link of the message on the device on which you want to sign in, in the app, or copy the device token from the message into the app."
    }
    var deviceRecognized: Outcome {
        Outcome(heading: "This device is recognized", paragraphs: ["You can sign in here with your password now."])
    }
    func deviceLinkOver(renewedHere here: Bool) -> Outcome {
        Outcome(
            heading: "This link is no longer good",
            paragraphs: [
                "It was used already or is too old, or your password was changed since.",
                here ? "You can ask for a new one." : "Ask for a new one in the app.",
            ])
    }
}
