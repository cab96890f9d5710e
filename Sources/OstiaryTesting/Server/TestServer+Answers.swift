import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryCore

extension TestServer {
    func answer(_ request: WireRequest) async -> WireResponse {
        if let error = scriptedRefusal(of: request) { return original(codec.write(error)) }
        do {
            return original(await answer(try codec.read(request)))
        } catch .unknownPath {
            return original(await answerOwn(request) ?? codec.write(.unknownPath))
        } catch {
            return original(codec.write(error, to: request))
        }
    }

    private func answer<Operation: WireOperation>(_ operation: Operation) async -> WireResponse {
        do { return codec.write(try await operation.perform(by: service), to: Operation.kind) } catch {
            return codec.write(error, to: Operation.kind)
        }
    }

    /// A route of the app's own; nil if there is none.
    private func answerOwn(_ request: WireRequest) async -> WireResponse? {
        guard
            let (route, values) = state.value.routes.lazy.compactMap({ route in
                route.values(of: request).map { (route, $0) }
            }).first
        else { return nil }
        do throws(AuthError) {
            let now = clock.now
            let token = request.headers["authorization"].flatMap(BearerToken.read)
            let bearer: Result<User, AuthError> = state.change { state in
                do throws(AuthError) {
                    guard let token else { throw .invalidAccessToken }
                    return .success(try state.bearer(Secret(token), at: now).account.user)
                } catch {
                    return .failure(error)
                }
            }
            let user = try bearer.get()
            if let role = route.role, !user.hasRole(role) { throw .forbidden }
            return await route.answer(TestVisit(request: request, user: user, values: values))
        } catch {
            return codec.write(error)
        }
    }

    /// The answer as a backend gives it that is not ours: what only we say is left out.
    private func original(_ response: WireResponse) -> WireResponse {
        guard rules.answersAsOriginal, response.status >= 400, let body = try? JSON.read(response.body),
            case .object(let members) = body
        else { return response }
        var response = response
        response.body = JSON.object(members.filter { !Self.ours.contains($0.name) }).bytes
        return response
    }

    private static let ours: Set<String> = ["code", "retry_after", "incident", "minimum", "maximum"]
}

/// The operations on a server's state.
struct ServerService: AuthService {
    let state: Watched<ServerState>
    let clock: TestClock

    private func ask<Operation: AuthOperation>(
        _ call: Operation, _ answer: (inout ServerState, Operation, Date) throws(AuthError) -> Operation.Answer
    ) throws(AuthError) -> Operation.Answer {
        let now = clock.now
        let result: Result<Operation.Answer, AuthError> = state.change { state in
            state.performed.append(Operation.kind)
            // What a refused operation changed stays: a try is taken, a stolen session is over.
            do throws(AuthError) { return .success(try answer(&state, call, now)) } catch { return .failure(error) }
        }
        return try result.get()
    }

    func register(_ call: Register) async throws(AuthError) -> SignedIn {
        try ask(call) { (state, call, now) throws(AuthError) in try state.register(call, at: now) }
    }
    func confirmRegistration(_ call: ConfirmRegistration) async throws(AuthError) -> SignedIn {
        try ask(call) { (state, call, now) throws(AuthError) in try state.confirmRegistration(call, at: now) }
    }
    func signIn(_ call: SignIn) async throws(AuthError) -> SignedIn {
        try ask(call) { (state, call, now) throws(AuthError) in try state.signIn(call, at: now) }
    }
    func requestCode(_ call: RequestCode) async throws(AuthError) -> CodeRequested {
        try ask(call) { (state, call, now) throws(AuthError) in try state.requestCode(call, at: now) }
    }
    func verifyCode(_ call: VerifyCode) async throws(AuthError) -> CodeVerified {
        try ask(call) { (state, call, now) throws(AuthError) in try state.verifyCode(call, at: now) }
    }
    func refresh(_ call: Refresh) async throws(AuthError) -> Tokens {
        try ask(call) { (state, call, now) throws(AuthError) in try state.refresh(call, at: now) }
    }
    func signOut(_ call: SignOut) async throws(AuthError) -> Done {
        try ask(call) { (state, call, now) throws(AuthError) in state.signOut(call, at: now) }
    }

    func currentUser(_ call: CurrentUser) async throws(AuthError) -> User {
        try ask(call) { (state, call, now) throws(AuthError) in
            try state.bearer(call.accessToken, at: now).account.user
        }
    }
    func updateProfile(_ call: UpdateProfile) async throws(AuthError) -> User {
        try ask(call) { (state, call, now) throws(AuthError) in try state.updateProfile(call, at: now) }
    }
    func changePassword(_ call: ChangePassword) async throws(AuthError) -> PasswordChanged {
        try ask(call) { (state, call, now) throws(AuthError) in try state.changePassword(call, at: now) }
    }
    func requestPasswordReset(_ call: RequestPasswordReset) async throws(AuthError) -> Done {
        try ask(call) { (state, call, now) throws(AuthError) in state.requestPasswordReset(call, at: now) }
    }
    func resetPassword(_ call: ResetPassword) async throws(AuthError) -> Done {
        try ask(call) { (state, call, now) throws(AuthError) in try state.resetPassword(call, at: now) }
    }
    func deleteAccount(_ call: DeleteAccount) async throws(AuthError) -> Done {
        try ask(call) { (state, call, now) throws(AuthError) in try state.deleteAccount(call, at: now) }
    }

    func issueSigningKey(_ call: IssueSigningKey) async throws(AuthError) -> RequestSigningKey {
        try ask(call) { (state, call, now) throws(AuthError) in try state.issueSigningKey(call, at: now) }
    }

    func listSessions(_ call: ListSessions) async throws(AuthError) -> [SessionSummary] {
        try ask(call) { (state, call, now) throws(AuthError) in try state.listSessions(call, at: now) }
    }
    func endSession(_ call: EndSession) async throws(AuthError) -> Done {
        try ask(call) { (state, call, now) throws(AuthError) in try state.endSession(call, at: now) }
    }

    func beginBrowserSignIn(_ call: BeginBrowserSignIn) async throws(AuthError) -> BrowserDestination {
        try ask(call) { (state, call, now) throws(AuthError) in try state.beginBrowserSignIn(call, at: now) }
    }
    func completeBrowserSignIn(_ call: CompleteBrowserSignIn) async throws(AuthError) -> SignedIn {
        try ask(call) { (state, call, now) throws(AuthError) in try state.completeBrowserSignIn(call, at: now) }
    }
    func socialConfiguration(_ call: GetSocialConfiguration) async throws(AuthError) -> SocialConfiguration {
        try ask(call) { (state, call, now) throws(AuthError) in
            guard let configuration = state.providers.first?.configuration else { throw .notConfigured }
            return configuration
        }
    }
    func beginSocialSignIn(_ call: BeginSocialSignIn) async throws(AuthError) -> BrowserDestination {
        try ask(call) { (state, call, now) throws(AuthError) in try state.beginSocialSignIn(call, at: now) }
    }
    func completeSocialSignIn(_ call: CompleteSocialSignIn) async throws(AuthError) -> SignedIn {
        try ask(call) { (state, call, now) throws(AuthError) in try state.completeSocialSignIn(call, at: now) }
    }
    func signInWithIdentityToken(_ call: SignInWithIdentityToken) async throws(AuthError) -> SignedIn {
        try ask(call) { (state, call, now) throws(AuthError) in try state.signInWithIdentityToken(call, at: now) }
    }
    func answerChallenge(_ call: AnswerChallenge) async throws(AuthError) -> SignedIn {
        try ask(call) { (state, call, now) throws(AuthError) in try state.answerChallenge(call, at: now) }
    }
}
