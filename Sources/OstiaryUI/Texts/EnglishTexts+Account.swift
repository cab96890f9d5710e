extension AuthTexts {
    /// What is said about an account, and on the way back to it.
    static let englishAccount: [TextKey: String] = [
        .resetRequest: "Reset your password",
        .resetRequestLead: "Tell us your email address, and we will send you a link to choose a new password.",
        .resetByCodeLead: "Tell us your phone number, and we will send you a code to choose a new password.",
        .sendLink: "Send link",
        .resetPassword: "Choose a new password",
        .resetPasswordNote: "You will be signed out on every device.",
        .savePassword: "Save password",
        .checkMail: "Check your email",
        .noMail: "Nothing there after a few minutes? Look in your spam folder, or check the address and try again.",
        .linkOver: "This link is no longer good",
        .renewLink: "Ask for a new link",
        .passwordSet: "Your password is changed",

        .account: "Your account",
        .signedInAs: "You are signed in as {name}.",
        .saveName: "Save name",
        .changePassword: "Change password",
        .changePasswordNote: "You stay signed in here, and are signed out on your other devices.",
        .sessions: "Where you are signed in",
        .sessionsNote: "You do not know one of these? End it, then change your password.",
        .noSessions: "There is nothing to show yet.",
        .thisDevice: "This device",
        .unknownDevice: "Unknown device",
        .lastUsed: "Last used {date}",
        .signedInSince: "Signed in since {date}",
        .endSession: "End session",
        .endSessionOf: "End session: {device}",
        .endSessionTitle: "End this session?",
        .endSessionNote: "{device} is signed out at once.",
        .endCurrentSessionNote:
            "You are using this device now. You will have to sign in again before you can go on here.",
        .accounts: "Accounts on this device",
        .switchAccountHint: "Goes on as this account.",
        .signOut: "Sign out",
        .confirmSignOut: "Sign out?",
        .confirmSignOutLead: "You will have to sign in again before you can go on here.",
        .deleteAccount: "Delete account",
        .deleteAccountNote:
            "Your account is deleted for good, and you are signed out on every device. Nobody can bring it back.",
        .deleteAccountPassword: "Type your password, so that nobody else can do this.",
        .confirmDeleteAccount: "Delete your account for good?",
        .deleteForGood: "Delete for good",

        .lockTitle: "Locked",
        .lockNote: "Show that it is you, and go on where you were.",
        .unlock: "Unlock",
        .unlockReason: "Open the app with your sign-in.",
        .unlockCancelled: "Still locked. Unlock when you are ready.",
        .unlockFailed:
            "That did not work, and the app stays locked. Try again; if this device asks for its passcode, type that. Or sign out, and sign in again.",
        .contentHidden: "Hidden while the app is not in use",

        .signOutUntold:
            "You are signed out on this device. The server could not be reached: it is told as soon as it can be.",
        .accountDeleted: "Your account is deleted.",
        .enrolmentChanged: "The faces or fingerprints that this device knows have changed. To be safe, sign in again.",
        .nobodyEnrolled: "This device has no face, fingerprint or passcode to unlock the app with. Sign in again.",
        .cancel: "Cancel",
        .dismissNotice: "Hide this note",
    ]
}
