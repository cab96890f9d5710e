import OstiaryContracts
public import OstiaryCore

extension AuthClient {
    // MARK: Sessions

    /// Signs out here, at once, and then tells the server, briefly. Where that cannot be done, it is told later.
    @discardableResult
    public func signOut() async throws(ClientError) -> SignOutResult { try await keeper.signOut() }

    /// Everybody who is signed in on this device; more than one only with ``ClientOptions/keepsSeveralAccounts``.
    public func savedAccounts() async throws(ClientError) -> [SessionSnapshot] { try await keeper.savedSessions() }

    /// Goes on as another of ``savedAccounts()``.
    ///
    /// - Throws: ``ClientError/notSignedIn`` for one that is not among them.
    public func switchAccount(to id: ClientSession.ID) async throws(ClientError) {
        try await keeper.switchSession(to: id)
    }

    // MARK: In front, and in the background

    /// Reports that the app enters the foreground, or that the network is back, and does what is overdue.
    ///
    /// Call it when the first of the app's scenes enters the foreground.
    public func enterForeground() async {
        closeIfDue()
        await resume()
    }

    /// The part of ``enterForeground()`` that is done at once: before a screen asks anybody to unlock.
    package func closeIfDue() {
        keeper.gate?.foregrounded()
        (keeper.store as? any AskingStore)?.comeToFront()
    }

    /// The part of ``enterForeground()`` that waits for store and server. The app may be in the background again before it runs.
    package func resume() async { await keeper.resume() }

    /// Reports that the app entered the background.
    ///
    /// Call it when the last of the app's scenes has entered the background, as `UIApplication.didEnterBackgroundNotification`
    /// and the `scenePhase` of an `App` tell: while one window can be seen, the session is not locked.
    public func enterBackground() {
        keeper.gate?.backgrounded()
        (keeper.store as? any AskingStore)?.leaveFront()
    }

    /// Returns when no refresh is under way, the server has heard of the sign-outs that were to be told, or could not be
    /// told, and the store has taken every change, or has refused it. To be called by programs that run one command, before
    /// they end.
    public func settle() async { await keeper.settle() }

    // MARK: Locking

    /// Locks the session until its owner shows themselves; without effect where there is no ``ClientOptions/gate``.
    public func lock() { keeper.gate?.close() }

    /// Has the person show themselves, where the session is locked, or its store is bound to them and they had said no.
    ///
    /// - Parameter reason: What the person is told, in a short sentence.
    /// - Throws: ``ClientError/cancelledByUser`` or ``ClientError/locked`` where it stays locked;
    ///   ``ClientError/notSignedIn`` where the device no longer knows the one who signed in, and the session has ended.
    public func unlock(_ reason: String) async throws(ClientError) { try await keeper.unlock(reason) }

    // MARK: Account

    /// Who is signed in, as the server has it now.
    @discardableResult
    public func refreshUser() async throws(ClientError) -> User { try await keeper.refreshUser() }

    /// Changes the person's name.
    @discardableResult
    public func updateProfile(name: String?) async throws(ClientError) -> User {
        let fullName = try personName(name)
        let (user, session) = try await authorized { UpdateProfile(accessToken: $0, fullName: fullName) }
        await keeper.keep(user, of: session)
        return user
    }

    /// Ends the account's other sessions; this one goes on with new tokens, and its earlier refresh tokens no longer work.
    public func changePassword(from current: String, to new: String) async throws(ClientError) {
        try await keeper.changePassword(from: Secret(current), to: Secret(new))
    }

    /// Has instructions sent, if anybody has an account with that address; nobody learns whether.
    public func requestPasswordReset(email: String) async throws(ClientError) {
        _ = try await perform(RequestPasswordReset(email: try parsed(.email, email, EmailAddress.init)))
    }

    /// Sets a new password with the token from the message. Every session of the account ends.
    public func resetPassword(token: String, newPassword: String) async throws(ClientError) {
        _ = try await perform(ResetPassword(proof: .token(Secret(token)), password: Secret(newPassword)))
    }

    /// Sets a new password with a code that was sent to the phone. Every session of the account ends.
    public func resetPassword(
        code: RequestedCode, digits: String, newPassword: String
    ) async throws(ClientError) {
        let digits = try parsed(.code, digits, OneTimeCode.init)
        _ = try await perform(
            ResetPassword(proof: .code(digits, code.phoneNumber), password: Secret(newPassword)))
    }

    /// The account's sessions, on every device.
    public func accountSessions() async throws(ClientError) -> [SessionSummary] {
        try await authorized { ListSessions(accessToken: $0) }.answer
    }

    /// Ends one of ``accountSessions()``.
    public func endSession(_ id: SessionID) async throws(ClientError) {
        _ = try await authorized { EndSession(accessToken: $0, sessionID: id) }
    }

    /// Deletes the account, for good, and signs out.
    ///
    /// - Parameter password: Nil where people sign in without one.
    /// - Throws: ``ClientError/refused(_:)`` with `AuthError.stepUpRequired` where the account has no password and the
    ///   sign-in was more than five minutes ago: have the person sign in again, then repeat it.
    public func deleteAccount(password: String? = nil) async throws(ClientError) {
        let (_, session) = try await authorized {
            DeleteAccount(accessToken: $0, password: password.map { Secret($0) })
        }
        await keeper.end(session, as: .signedOut)
    }

    /// Does an operation in the name of the signed-in person; after a 401 about the token once more with another.
    private func authorized<Operation: WireOperation>(
        _ operation: @Sendable (Secret<String>) -> Operation
    ) async throws(ClientError) -> (answer: Operation.Answer, session: ClientSession.ID) {
        let token = try await keeper.token()
        do {
            return (try await keeper.perform(operation(token.token), as: token), token.session)
        } catch .refused(let refusal) where refusal.isAboutAccessToken {
            let next = try await keeper.replacement(for: token, refusal: refusal)
            return (try await keeper.perform(operation(next.token), as: next), next.session)
        }
    }
}
