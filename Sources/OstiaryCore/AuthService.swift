/// The operations on accounts and sessions. The server's engine implements them locally, the client remotely.
///
/// Every method throws ``AuthError`` and nothing else; the parameter's type documents the cases.
public protocol AuthService: Sendable {
    /// Creates an account and opens a session. See ``Register``.
    func register(_ call: Register) async throws(AuthError) -> SignedIn
    /// Completes a registration with the token from the confirmation message. See ``ConfirmRegistration``.
    func confirmRegistration(_ call: ConfirmRegistration) async throws(AuthError) -> SignedIn
    /// Opens a session with an identifier and a password. See ``SignIn``.
    func signIn(_ call: SignIn) async throws(AuthError) -> SignedIn
    /// Sends a one-time code to a phone number. See ``RequestCode``.
    func requestCode(_ call: RequestCode) async throws(AuthError) -> CodeRequested
    /// Checks a one-time code without consuming it. See ``VerifyCode``.
    func verifyCode(_ call: VerifyCode) async throws(AuthError) -> CodeVerified
    /// Exchanges a refresh token for new tokens. See ``Refresh``.
    func refresh(_ call: Refresh) async throws(AuthError) -> Tokens
    /// Revokes the session of the given tokens. See ``SignOut``.
    func signOut(_ call: SignOut) async throws(AuthError) -> Done

    /// Returns the user that the access token belongs to. See ``CurrentUser``.
    func currentUser(_ call: CurrentUser) async throws(AuthError) -> User
    /// Changes the user's profile and returns the updated user. See ``UpdateProfile``.
    func updateProfile(_ call: UpdateProfile) async throws(AuthError) -> User
    /// Replaces the password and revokes the account's other sessions. See ``ChangePassword``.
    func changePassword(_ call: ChangePassword) async throws(AuthError) -> PasswordChanged
    /// Sends password reset instructions to an address. See ``RequestPasswordReset``.
    func requestPasswordReset(_ call: RequestPasswordReset) async throws(AuthError) -> Done
    /// Sets a new password with a reset token or a code. See ``ResetPassword``.
    func resetPassword(_ call: ResetPassword) async throws(AuthError) -> Done
    /// Deletes the account permanently. See ``DeleteAccount``.
    func deleteAccount(_ call: DeleteAccount) async throws(AuthError) -> Done

    /// Returns the account's active sessions, the most recently used first. See ``ListSessions``.
    func listSessions(_ call: ListSessions) async throws(AuthError) -> [SessionSummary]
    /// Revokes one of the account's sessions. See ``EndSession``.
    func endSession(_ call: EndSession) async throws(AuthError) -> Done
    /// Issues the session's request signing key. See ``IssueSigningKey``.
    func issueSigningKey(_ call: IssueSigningKey) async throws(AuthError) -> RequestSigningKey

    /// Begins a sign-in in the browser and returns the URL to open. See ``BeginBrowserSignIn``.
    func beginBrowserSignIn(_ call: BeginBrowserSignIn) async throws(AuthError) -> BrowserDestination
    /// Exchanges the result of a browser sign-in for a session. See ``CompleteBrowserSignIn``.
    func completeBrowserSignIn(_ call: CompleteBrowserSignIn) async throws(AuthError) -> SignedIn
    /// Returns the public settings of the social identity provider. See ``GetSocialConfiguration``.
    func socialConfiguration(_ call: GetSocialConfiguration) async throws(AuthError) -> SocialConfiguration
    /// Begins a sign-in with a social identity provider and returns the URL to open. See ``BeginSocialSignIn``.
    func beginSocialSignIn(_ call: BeginSocialSignIn) async throws(AuthError) -> BrowserDestination
    /// Exchanges the result of a social sign-in for a session. See ``CompleteSocialSignIn``.
    func completeSocialSignIn(_ call: CompleteSocialSignIn) async throws(AuthError) -> SignedIn
    /// Opens a session with an identity provider's ID token. See ``SignInWithIdentityToken``.
    func signInWithIdentityToken(_ call: SignInWithIdentityToken) async throws(AuthError) -> SignedIn
    /// Answers an identity provider's challenge and continues the sign-in. See ``AnswerChallenge``.
    func answerChallenge(_ call: AnswerChallenge) async throws(AuthError) -> SignedIn
}
