import OstiaryCore

extension OperationKind {
    /// The summary of the operation for the API description, in one sentence.
    var summary: String {
        switch self {
        case .register: "Makes an account and signs its owner in"
        case .confirmRegistration: "Finishes a registration with the token that was mailed"
        case .signIn: "Signs a person in with a password"
        case .requestCode: "Sends a one-time code to a phone number"
        case .verifyCode: "Checks a one-time code without spending it"
        case .refresh: "Exchanges a refresh token for the next pair of tokens"
        case .signOut: "Ends the session; succeeds with dead or unknown tokens too"
        case .currentUser: "Tells who the access token belongs to"
        case .updateProfile: "Changes what a person may change about themselves"
        case .changePassword: "Replaces the password, ends the other sessions and renews the tokens of this one"
        case .requestPasswordReset: "Sends instructions for a new password, if there is an account"
        case .resetPassword: "Sets a new password and ends all sessions"
        case .deleteAccount: "Deletes the account for good"
        case .listSessions: "Lists the account's live sessions"
        case .endSession: "Ends one of the account's sessions"
        case .issueSigningKey: "Issues the key that signs the requests of the session, once"
        case .beginBrowserSignIn: "Sends the browser to the identity provider"
        case .completeBrowserSignIn: "Exchanges what the browser brought back for a session"
        case .socialConfiguration: "Tells the public settings of the social identity provider"
        case .beginSocialSignIn: "Tells where to send the browser for a social sign-in"
        case .completeSocialSignIn: "Exchanges what a social sign-in brought back for a session"
        case .signInWithIdentityToken:
            "Signs a person in with an ID token that the device got from the identity provider"
        case .answerChallenge: "Answers the next step that a sign-in asked for"
        }
    }
}
