import OstiaryContracts
public import OstiaryCore

extension RemoteAuth: AuthService {
    private func ask<Operation: WireOperation>(_ operation: Operation) async throws(AuthError) -> Operation.Answer {
        do {
            return try await call(operation)
        } catch {
            switch error {
            case .refused(let refusal): throw refusal
            case .unreachable: throw .unavailable(incident: "")
            }
        }
    }

    public func register(_ call: Register) async throws(AuthError) -> SignedIn { try await ask(call) }
    public func confirmRegistration(_ call: ConfirmRegistration) async throws(AuthError) -> SignedIn {
        try await ask(call)
    }
    public func signIn(_ call: SignIn) async throws(AuthError) -> SignedIn { try await ask(call) }
    public func requestCode(_ call: RequestCode) async throws(AuthError) -> CodeRequested { try await ask(call) }
    public func verifyCode(_ call: VerifyCode) async throws(AuthError) -> CodeVerified { try await ask(call) }
    public func refresh(_ call: Refresh) async throws(AuthError) -> Tokens { try await ask(call) }
    public func signOut(_ call: SignOut) async throws(AuthError) -> Done { try await ask(call) }

    public func currentUser(_ call: CurrentUser) async throws(AuthError) -> User { try await ask(call) }
    public func updateProfile(_ call: UpdateProfile) async throws(AuthError) -> User { try await ask(call) }
    public func changePassword(_ call: ChangePassword) async throws(AuthError) -> PasswordChanged {
        try await ask(call)
    }
    public func requestPasswordReset(_ call: RequestPasswordReset) async throws(AuthError) -> Done {
        try await ask(call)
    }
    public func resetPassword(_ call: ResetPassword) async throws(AuthError) -> Done { try await ask(call) }
    public func deleteAccount(_ call: DeleteAccount) async throws(AuthError) -> Done { try await ask(call) }

    public func listSessions(_ call: ListSessions) async throws(AuthError) -> [SessionSummary] { try await ask(call) }
    public func endSession(_ call: EndSession) async throws(AuthError) -> Done { try await ask(call) }
    public func issueSigningKey(_ call: IssueSigningKey) async throws(AuthError) -> RequestSigningKey {
        try await ask(call)
    }

    public func beginBrowserSignIn(_ call: BeginBrowserSignIn) async throws(AuthError) -> BrowserDestination {
        try await ask(call)
    }
    public func completeBrowserSignIn(_ call: CompleteBrowserSignIn) async throws(AuthError) -> SignedIn {
        try await ask(call)
    }
    public func socialConfiguration(_ call: GetSocialConfiguration) async throws(AuthError) -> SocialConfiguration {
        try await ask(call)
    }
    public func beginSocialSignIn(_ call: BeginSocialSignIn) async throws(AuthError) -> BrowserDestination {
        try await ask(call)
    }
    public func completeSocialSignIn(_ call: CompleteSocialSignIn) async throws(AuthError) -> SignedIn {
        try await ask(call)
    }
    public func signInWithIdentityToken(_ call: SignInWithIdentityToken) async throws(AuthError) -> SignedIn {
        try await ask(call)
    }
    public func answerChallenge(_ call: AnswerChallenge) async throws(AuthError) -> SignedIn { try await ask(call) }
}
