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

    /// Registers an account.
    public func register(_ call: Register) async throws(AuthError) -> SignedIn { try await ask(call) }
    /// Completes a registration with the token from the confirmation email.
    public func confirmRegistration(_ call: ConfirmRegistration) async throws(AuthError) -> SignedIn {
        try await ask(call)
    }
    /// Signs in with an identifier and a password.
    public func signIn(_ call: SignIn) async throws(AuthError) -> SignedIn { try await ask(call) }
    /// Requests a one-time code by message to a phone.
    public func requestCode(_ call: RequestCode) async throws(AuthError) -> CodeRequested { try await ask(call) }
    /// Checks a one-time code without redeeming it.
    public func verifyCode(_ call: VerifyCode) async throws(AuthError) -> CodeVerified { try await ask(call) }
    /// Exchanges a refresh token for new tokens.
    public func refresh(_ call: Refresh) async throws(AuthError) -> Tokens { try await ask(call) }
    /// Ends the session on the server.
    public func signOut(_ call: SignOut) async throws(AuthError) -> Done { try await ask(call) }

    /// Returns the user whom the access token belongs to.
    public func currentUser(_ call: CurrentUser) async throws(AuthError) -> User { try await ask(call) }
    /// Changes the user's profile and returns the stored value.
    public func updateProfile(_ call: UpdateProfile) async throws(AuthError) -> User { try await ask(call) }
    /// Changes the password, which ends the account's other sessions.
    public func changePassword(_ call: ChangePassword) async throws(AuthError) -> PasswordChanged {
        try await ask(call)
    }
    /// Requests an email with a password reset link.
    public func requestPasswordReset(_ call: RequestPasswordReset) async throws(AuthError) -> Done {
        try await ask(call)
    }
    /// Sets a new password with a reset token or a one-time code.
    public func resetPassword(_ call: ResetPassword) async throws(AuthError) -> Done { try await ask(call) }
    /// Deletes the account.
    public func deleteAccount(_ call: DeleteAccount) async throws(AuthError) -> Done { try await ask(call) }

    /// Returns the account's sessions on every device.
    public func listSessions(_ call: ListSessions) async throws(AuthError) -> [SessionSummary] { try await ask(call) }
    /// Ends one of the account's sessions.
    public func endSession(_ call: EndSession) async throws(AuthError) -> Done { try await ask(call) }
    /// Issues the key with which requests of the session are signed.
    public func issueSigningKey(_ call: IssueSigningKey) async throws(AuthError) -> RequestSigningKey {
        try await ask(call)
    }

    /// Begins a sign-in at the backend's own page, and returns the address to open.
    public func beginBrowserSignIn(_ call: BeginBrowserSignIn) async throws(AuthError) -> BrowserDestination {
        try await ask(call)
    }
    /// Exchanges the code of a sign-in at the backend's page for a session.
    public func completeBrowserSignIn(_ call: CompleteBrowserSignIn) async throws(AuthError) -> SignedIn {
        try await ask(call)
    }
    /// Returns the configuration of the backend's social identity provider.
    public func socialConfiguration(_ call: GetSocialConfiguration) async throws(AuthError) -> SocialConfiguration {
        try await ask(call)
    }
    /// Begins a sign-in at a social identity provider, and returns the address to open.
    public func beginSocialSignIn(_ call: BeginSocialSignIn) async throws(AuthError) -> BrowserDestination {
        try await ask(call)
    }
    /// Exchanges the code of a sign-in at a social identity provider for a session.
    public func completeSocialSignIn(_ call: CompleteSocialSignIn) async throws(AuthError) -> SignedIn {
        try await ask(call)
    }
    /// Signs in with an ID token that the device obtained from an identity provider.
    public func signInWithIdentityToken(_ call: SignInWithIdentityToken) async throws(AuthError) -> SignedIn {
        try await ask(call)
    }
    /// Continues a sign-in by answering the challenge of the credential provider.
    public func answerChallenge(_ call: AnswerChallenge) async throws(AuthError) -> SignedIn { try await ask(call) }
}
