import OstiaryContracts
import OstiaryCore
import Testing

/// What an operation comes to.
enum Outcome: Sendable {
    case answer(any WireAnswer)
    case refusal(AuthError)
}

/// One operation and what it comes to.
struct Scene: Sendable {
    var call: any WireOperation
    var outcome: Outcome

    init(_ call: any WireOperation, answers answer: any WireAnswer) {
        self.call = call
        outcome = .answer(answer)
    }

    init(_ call: any WireOperation, refusedWith error: AuthError) {
        self.call = call
        outcome = .refusal(error)
    }
}

/// A service that knows the calls of a script to the letter, and refuses every other.
struct ScriptedService: AuthService {
    var script: [Scene]

    private func play<Call: WireOperation>(_ call: Call) throws(AuthError) -> Call.Answer {
        for scene in script where scene.call as? Call == call {
            switch scene.outcome {
            case .answer(let answer): if let answer = answer as? Call.Answer { return answer }
            case .refusal(let error): throw error
            }
        }
        throw .rejected(status: 418, message: "not in the script")
    }

    func register(_ call: Register) async throws(AuthError) -> SignedIn { try play(call) }
    func confirmRegistration(_ call: ConfirmRegistration) async throws(AuthError) -> SignedIn { try play(call) }
    func signIn(_ call: SignIn) async throws(AuthError) -> SignedIn { try play(call) }
    func requestCode(_ call: RequestCode) async throws(AuthError) -> CodeRequested { try play(call) }
    func verifyCode(_ call: VerifyCode) async throws(AuthError) -> CodeVerified { try play(call) }
    func refresh(_ call: Refresh) async throws(AuthError) -> Tokens { try play(call) }
    func signOut(_ call: SignOut) async throws(AuthError) -> Done { try play(call) }
    func currentUser(_ call: CurrentUser) async throws(AuthError) -> User { try play(call) }
    func updateProfile(_ call: UpdateProfile) async throws(AuthError) -> User { try play(call) }
    func changePassword(_ call: ChangePassword) async throws(AuthError) -> PasswordChanged { try play(call) }
    func requestPasswordReset(_ call: RequestPasswordReset) async throws(AuthError) -> Done { try play(call) }
    func resetPassword(_ call: ResetPassword) async throws(AuthError) -> Done { try play(call) }
    func deleteAccount(_ call: DeleteAccount) async throws(AuthError) -> Done { try play(call) }
    func listSessions(_ call: ListSessions) async throws(AuthError) -> [SessionSummary] { try play(call) }
    func endSession(_ call: EndSession) async throws(AuthError) -> Done { try play(call) }
    func issueSigningKey(_ call: IssueSigningKey) async throws(AuthError) -> RequestSigningKey { try play(call) }
    func beginBrowserSignIn(_ call: BeginBrowserSignIn) async throws(AuthError) -> BrowserDestination { try play(call) }
    func completeBrowserSignIn(_ call: CompleteBrowserSignIn) async throws(AuthError) -> SignedIn { try play(call) }
    func socialConfiguration(_ call: GetSocialConfiguration) async throws(AuthError) -> SocialConfiguration {
        try play(call)
    }
    func beginSocialSignIn(_ call: BeginSocialSignIn) async throws(AuthError) -> BrowserDestination { try play(call) }
    func completeSocialSignIn(_ call: CompleteSocialSignIn) async throws(AuthError) -> SignedIn { try play(call) }
    func signInWithIdentityToken(_ call: SignInWithIdentityToken) async throws(AuthError) -> SignedIn { try play(call) }
    func answerChallenge(_ call: AnswerChallenge) async throws(AuthError) -> SignedIn { try play(call) }
}

extension Codec {
    /// A server without a socket: reads the request, performs it, writes what it comes to.
    func serve(_ request: WireRequest, by service: ScriptedService) async -> WireResponse {
        do { return await answer(try read(request), by: service) } catch { return write(error) }
    }

    private func answer(_ call: some WireOperation, by service: ScriptedService) async -> WireResponse {
        do { return write(try await call.perform(by: service), to: type(of: call).kind) } catch { return write(error) }
    }
}
