import OstiaryCore
import Testing

/// An ``AuthService`` whose every answer is the test's.
struct ScriptedAuth: AuthService {
    /// Returns an answer of the operation's own type.
    let answer: @Sendable (any AuthOperation) async throws(AuthError) -> any Sendable

    private func ask<Operation: AuthOperation>(_ call: Operation) async throws(AuthError) -> Operation.Answer {
        guard let answer = try await answer(call) as? Operation.Answer else {
            Issue.record("the script has no answer to \(Operation.kind.rawValue)")
            throw .unavailable(incident: "script")
        }
        return answer
    }

    func register(_ call: Register) async throws(AuthError) -> SignedIn { try await ask(call) }
    func confirmRegistration(_ call: ConfirmRegistration) async throws(AuthError) -> SignedIn { try await ask(call) }
    func signIn(_ call: SignIn) async throws(AuthError) -> SignedIn { try await ask(call) }
    func requestCode(_ call: RequestCode) async throws(AuthError) -> CodeRequested { try await ask(call) }
    func verifyCode(_ call: VerifyCode) async throws(AuthError) -> CodeVerified { try await ask(call) }
    func refresh(_ call: Refresh) async throws(AuthError) -> Tokens { try await ask(call) }
    func signOut(_ call: SignOut) async throws(AuthError) -> Done { try await ask(call) }
    func currentUser(_ call: CurrentUser) async throws(AuthError) -> User { try await ask(call) }
    func updateProfile(_ call: UpdateProfile) async throws(AuthError) -> User { try await ask(call) }
    func changePassword(_ call: ChangePassword) async throws(AuthError) -> PasswordChanged { try await ask(call) }
    func requestPasswordReset(_ call: RequestPasswordReset) async throws(AuthError) -> Done { try await ask(call) }
    func resetPassword(_ call: ResetPassword) async throws(AuthError) -> Done { try await ask(call) }
    func deleteAccount(_ call: DeleteAccount) async throws(AuthError) -> Done { try await ask(call) }
    func listSessions(_ call: ListSessions) async throws(AuthError) -> [SessionSummary] { try await ask(call) }
    func endSession(_ call: EndSession) async throws(AuthError) -> Done { try await ask(call) }
    func issueSigningKey(_ call: IssueSigningKey) async throws(AuthError) -> RequestSigningKey { try await ask(call) }
    func beginBrowserSignIn(_ call: BeginBrowserSignIn) async throws(AuthError) -> BrowserDestination {
        try await ask(call)
    }
    func completeBrowserSignIn(_ call: CompleteBrowserSignIn) async throws(AuthError) -> SignedIn {
        try await ask(call)
    }
    func socialConfiguration(_ call: GetSocialConfiguration) async throws(AuthError) -> SocialConfiguration {
        try await ask(call)
    }
    func beginSocialSignIn(_ call: BeginSocialSignIn) async throws(AuthError) -> BrowserDestination {
        try await ask(call)
    }
    func completeSocialSignIn(_ call: CompleteSocialSignIn) async throws(AuthError) -> SignedIn { try await ask(call) }
    func signInWithIdentityToken(_ call: SignInWithIdentityToken) async throws(AuthError) -> SignedIn {
        try await ask(call)
    }
    func answerChallenge(_ call: AnswerChallenge) async throws(AuthError) -> SignedIn { try await ask(call) }
}
