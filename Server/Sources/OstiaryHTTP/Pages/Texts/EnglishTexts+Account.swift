import OstiaryCore

extension EnglishTexts {
    // MARK: Challenges

    var confirmSignIn: String { "Confirm your sign-in" }
    var confirmPerson: String { "Confirm that it is you" }
    func instruction(for method: ChallengeMethod, isSent: Bool) -> String {
        switch method {
        case .totp: "Open your authenticator app and type the code that it shows for this account."
        case .recoveryCode: "Type one of the recovery codes that you saved. Each of them works once."
        case .passkey: "Use the passkey that you added: your device asks for your fingerprint, your face or your PIN."
        case .password: "Type your password."
        case .smsCode: isSent ? "We have sent a code to your phone." : "We can send a code to your phone."
        case .emailCode:
            isSent ? "We have sent a code to your email address." : "We can send a code to your email address."
        default: ""
        }
    }
    func name(of method: ChallengeMethod) -> String {
        switch method {
        case .totp: "Authenticator app"
        case .recoveryCode: "Recovery code"
        case .passkey: "Passkey"
        case .password: password
        case .smsCode: "Text message"
        case .emailCode: email
        default: method.rawValue
        }
    }
    func label(of method: ChallengeMethod) -> String {
        switch method {
        case .recoveryCode: "Recovery code"
        case .password: password
        default: "Code"
        }
    }
    var otherWays: String { "Other ways" }
    var next: String { "Continue" }
    var sendCode: String { "Send code" }
    var sendAnotherCode: String { "Send another code" }
    func text(of error: AuthError, answeringBy method: ChallengeMethod) -> String {
        switch (error, method) {
        case (.invalid(.answers, .missing), .password), (.invalid(.password, .missing), _): "Type your password."
        case (.invalid(.answers, .missing), _): "Type the code."
        case (.wrongCredentials, .password): "The password is not correct. Check it and try again."
        case (.codeRefused, .totp):
            "The code is not correct, or was used already. Wait for the next one that the app shows, and type it."
        case (.codeRefused, .recoveryCode): "The code is not correct, or was used already. Try another one."
        case (.codeRefused, .passkey), (.invalid(.credential, _), _): passkeyRefused
        case (.codeRefused, _):
            "The code is not correct or no longer valid. Type the newest one, or have another one sent."
        default: text(of: error)
        }
    }
    var challengeOver: Outcome {
        Outcome(
            heading: "This step has expired",
            paragraphs: [
                "It took more than five minutes, was finished already, or there were too many wrong answers.",
                "Sign in again to go on.",
            ])
    }
    var signInAgain: String { "Sign in again" }
    var lostFactor: String { "Lost your device? Manage your second factors" }
    func rememberBrowser(days: Int) -> String {
        days == 1 ? "Do not ask again today in this browser" : "Do not ask again in this browser for \(days) days"
    }

    // MARK: Passkeys

    var usePasskey: String { "Use a passkey" }
    var signInWithPasskey: String { "Sign in with a passkey" }
    var passkeyNeedsScript: String { "Passkeys need JavaScript, which is off in this browser. Use another way." }
    var passkeyUnsupported: String { "This browser has no passkeys. Use another way." }
    var passkeyUnavailable: String { "Passkeys do not work at this address. Use another way." }
    var passkeyCancelled: String { "That was cancelled, or took too long. Try again, or use another way." }
    var passkeyFailed: String { "The passkey could not be used. Try again, or use another way." }
    var passkeyExists: String { "This device has a passkey for this account already." }
    var passkeyRefused: String {
        "The passkey is not known here, or could not be verified. Try again, or use another way."
    }

    // MARK: Adding factors

    var enrolment: String { "Add a second factor" }
    func enrolmentLead(for client: String?) -> Phrase {
        client.map { Phrase(name: $0, after: " asks for a second factor besides your password. \(chooseFactor)") }
            ?? Phrase(before: "Your account needs a second factor besides the password. \(chooseFactor)")
    }
    private var chooseFactor: String { "Choose the one that you want to add." }
    var addAuthenticator: String { "Add an authenticator app" }
    var authenticatorIntroduction: [String] {
        [
            "An authenticator app on your phone or computer shows a new code every 30 seconds. When you sign in, you type the code after your password.",
            "If you have no such app yet, install one first. Many password managers can do it too.",
        ]
    }
    var scanCode: String { "Scan this picture with your authenticator app." }
    var codeDescription: String { "QR code with the key below" }
    var typeKey: String { "Or type this key into the app:" }
    var openInAuthenticator: String { "Open the app on this device" }
    var confirmAuthenticator: String { "Then type the code that the app shows." }
    var factorName: String { "Name, to recognize it later" }
    var authenticatorName: String { "Authenticator app" }
    var passkeyName: String { "Passkey" }
    var addPasskey: String { "Add a passkey" }
    var passkeyIntroduction: String {
        "With a passkey you sign in by your fingerprint, your face or your PIN, without a password. It is the best protection against false sign-in pages."
    }
    var createPasskey: String { "Create the passkey" }
    var enrolmentOver: String { "That took more than ten minutes, or was finished already. Begin again." }
    func added(_ method: ChallengeMethod) -> Outcome {
        Outcome(
            heading: method == .passkey ? "Your passkey is added" : "Your authenticator app is added",
            paragraphs: ["You have been signed out everywhere else. Your recovery codes stay the same."])
    }
    var recoveryCodes: String { "Save your recovery codes" }
    func recoveryCodesLead(added: ChallengeMethod?) -> [String] {
        let first =
            switch added {
            case nil: "The earlier codes no longer work."
            case .passkey: "Your passkey is added, and you have been signed out everywhere else."
            default: "Your authenticator app is added, and you have been signed out everywhere else."
            }
        return [
            first,
            "With one of these codes you can sign in if you lose your device. Each works once. Keep them where nobody else finds them: they are shown only now.",
        ]
    }
    var copy: String { "Copy" }
    var copied: String { "Copied" }
    var print: String { "Print" }
    var recoveryCodesSaved: String { "I have saved the codes" }

    // MARK: Account

    var profile: String { "Profile" }
    var changeName: String { "Change your name" }
    var change: String { "Change" }
    var changePassword: String { "Change your password" }
    var passwordNote: String { "A new password signs you out everywhere else." }
    var currentPassword: String { "Current password" }
    var passwordReplaced: Outcome {
        Outcome(heading: "Your password is changed", paragraphs: ["You have been signed out everywhere else."])
    }
    var save: String { "Save" }
    var backToAccount: String { "Back to your account" }
    var secondFactors: String { "Second factors" }
    var noFactors: String {
        "A second factor protects your account even if somebody learns your password."
    }
    func addedAt(_ time: String) -> Phrase { Phrase(before: "Added ", name: time) }
    func lastUsedAt(_ time: String) -> Phrase { Phrase(before: "Last used ", name: time) }
    var notUsedYet: String { "Not used yet" }
    var manage: String { "Manage" }
    func manage(_ name: String) -> String { "Manage \(name)" }
    func recoveryCodes(left: Int) -> String {
        switch left {
        case 0: "No recovery code left"
        case 1: "One recovery code left"
        default: "\(left) recovery codes left"
        }
    }
    var replace: String { "Replace" }
    var replaceRecoveryCodes: String { "New recovery codes" }
    var replaceRecoveryCodesName: String { "Replace the recovery codes" }
    func recoveryCodeReplacementLead(left: Int) -> [String] {
        [
            "\(recoveryCodes(left: left)). New codes replace all earlier ones, for example if somebody may have seen them, or if you have used most of them."
        ]
    }
    var changeFactor: String { "Change this second factor" }
    var remove: String { "Remove" }
    func removalNote(isLast: Bool) -> String {
        isLast
            ? "This is your only second factor. Without it your password alone protects your account, and your recovery codes are deleted."
            : "From then on it can no longer be used to sign in."
    }
    var sessions: String { "Sessions" }
    var thisBrowser: String { "This browser" }
    func device(_ device: UserAgentSummary) -> String {
        switch (device.browser, device.system) {
        case (let browser?, let system?): "\(browser) on \(system)"
        case (let name?, nil), (nil, let name?): name
        case (nil, nil): "Unknown browser"
        }
    }
    func signedInAt(_ time: String) -> Phrase { Phrase(before: "Signed in ", name: time) }
    var endSession: String { "Sign out" }
    func endSession(of device: String) -> String { "Sign out \(device)" }
    var recognizedDevices: String { "Recognized devices" }
    var noRecognizedDevices: String { "Your account recognizes no devices." }
    func rememberedUntil(_ time: String) -> Phrase { Phrase(before: "No second factor until ", name: time) }
    var forgetDevice: String { "Forget" }
    func forgetDevice(_ device: String) -> String { "Forget \(device)" }
    var connectedApps: String { "Connected apps" }
    var noApps: String { "No app is signed in with your account." }
    func knows(_ wishes: Set<HostedPage.Consent.RequestedClaim>) -> String {
        switch (wishes.contains(.name), wishes.contains(.email)) {
        case (true, true): "Knows your name and your email address"
        case (true, false): "Knows your name"
        case (false, true): "Knows your email address"
        case (false, false): "Recognizes you"
        }
    }
    func connectedSince(_ time: String) -> Phrase { Phrase(before: "Signed in since ", name: time) }
    var disconnect: String { "Disconnect" }
    func disconnect(_ name: String) -> String { "Disconnect \(name)" }
}
