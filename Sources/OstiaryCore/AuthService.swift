/// Everything a person can do with an account, done here by the server's engine and remotely by the client.
///
/// Every method throws ``AuthError`` and nothing else; what each throws is said at its operation.
public protocol AuthService: Sendable {
    func register(_ call: Register) async throws(AuthError) -> SignedIn
    func confirmRegistration(_ call: ConfirmRegistration) async throws(AuthError) -> SignedIn
    func signIn(_ call: SignIn) async throws(AuthError) -> SignedIn
    func requestCode(_ call: RequestCode) async throws(AuthError) -> CodeRequested
    func verifyCode(_ call: VerifyCode) async throws(AuthError) -> CodeVerified
    func refresh(_ call: Refresh) async throws(AuthError) -> Tokens
    func signOut(_ call: SignOut) async throws(AuthError) -> Done

    func currentUser(_ call: CurrentUser) async throws(AuthError) -> User
    func updateProfile(_ call: UpdateProfile) async throws(AuthError) -> User
    func changePassword(_ call: ChangePassword) async throws(AuthError) -> PasswordChanged
    func requestPasswordReset(_ call: RequestPasswordReset) async throws(AuthError) -> Done
    func resetPassword(_ call: ResetPassword) async throws(AuthError) -> Done
    func deleteAccount(_ call: DeleteAccount) async throws(AuthError) -> Done

    func listSessions(_ call: ListSessions) async throws(AuthError) -> [SessionSummary]
    func endSession(_ call: EndSession) async throws(AuthError) -> Done
    func issueSigningKey(_ call: IssueSigningKey) async throws(AuthError) -> RequestSigningKey

    func beginBrowserSignIn(_ call: BeginBrowserSignIn) async throws(AuthError) -> BrowserDestination
    func completeBrowserSignIn(_ call: CompleteBrowserSignIn) async throws(AuthError) -> SignedIn
    func socialConfiguration(_ call: GetSocialConfiguration) async throws(AuthError) -> SocialConfiguration
    func beginSocialSignIn(_ call: BeginSocialSignIn) async throws(AuthError) -> BrowserDestination
    func completeSocialSignIn(_ call: CompleteSocialSignIn) async throws(AuthError) -> SignedIn
    func signInWithIdentityToken(_ call: SignInWithIdentityToken) async throws(AuthError) -> SignedIn
    func answerChallenge(_ call: AnswerChallenge) async throws(AuthError) -> SignedIn
}
