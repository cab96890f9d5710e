import OstiaryContracts
public import OstiaryCore

extension AuthClient {
    // MARK: Sessions

    /// Signs out on this device immediately, then revokes the session on the server within a short deadline. A
    /// revocation that fails is stored and retried later.
    ///
    /// - Returns: ``SignOutResult/revoked`` if the server has ended the session; ``SignOutResult/revocationPending`` if
    ///   the revocation is stored to be retried; ``SignOutResult/wasSignedOut`` if no user was signed in.
    /// - Throws: ``ClientError/store(_:)`` if the store cannot be read, or if neither the store nor the server has
    ///   recorded the sign-out.
    @discardableResult
    public func signOut() async throws(ClientError) -> SignOutResult { try await keeper.signOut() }

    /// Returns every session of this server that is kept on this device; more than one only with
    /// ``ClientOptions/keepsSeveralAccounts``.
    ///
    /// - Throws: ``ClientError/store(_:)`` if the store cannot be read.
    public func savedAccounts() async throws(ClientError) -> [SessionSnapshot] { try await keeper.savedSessions() }

    /// Makes another of ``savedAccounts()`` the current one, and verifies it with the server in the background. Locks
    /// the session if there is a ``ClientOptions/biometricPrompt``.
    ///
    /// - Throws: ``ClientError/notSignedIn`` for an id that is not among them; ``ClientError/store(_:)`` if the store
    ///   cannot be read.
    public func switchAccount(to id: ClientSession.ID) async throws(ClientError) {
        try await keeper.switchSession(to: id)
    }

    // MARK: Foreground and background

    /// Reports that the app enters the foreground, or that the network is back, and runs overdue work.
    ///
    /// Call it when the first of the app's scenes enters the foreground.
    public func willEnterForeground() async {
        evaluateLock()
        await resume()
    }

    /// Runs the synchronous part of ``willEnterForeground()``, before a screen asks the user to unlock.
    package func evaluateLock() {
        keeper.appLock?.willEnterForeground()
        (keeper.store as? any InteractiveSessionStore)?.willEnterForeground()
    }

    /// Runs the part of ``willEnterForeground()`` that waits for store and server. The app may be in the background
    /// again before it runs.
    package func resume() async { await keeper.resume() }

    /// Reports that the app entered the background.
    ///
    /// Call it when the last of the app's scenes has entered the background, as reported by
    /// `UIApplication.didEnterBackgroundNotification` and the `scenePhase` of an `App`: while one window is visible,
    /// the session must not be locked.
    public func didEnterBackground() {
        keeper.appLock?.didEnterBackground()
        (keeper.store as? any InteractiveSessionStore)?.didEnterBackground()
    }

    /// Waits until no refresh is in flight, every pending revocation has been sent or has failed, and the store has
    /// accepted or rejected every change.
    ///
    /// Programs that run one command call it before they exit.
    public func settle() async { await keeper.settle() }

    // MARK: Locking

    /// Locks the session until the user authenticates; has no effect without a ``ClientOptions/biometricPrompt``.
    public func lock() { keeper.appLock?.close() }

    /// Asks the user to authenticate if the session is locked, or if its store is bound to the user and an earlier
    /// prompt was declined.
    ///
    /// - Parameter reason: A short sentence that the prompt shows.
    /// - Throws: ``ClientError/cancelledByUser`` or ``ClientError/locked`` if the session stays locked;
    ///   ``ClientError/notSignedIn`` if no user is signed in, or the device no longer recognises the user who signed in,
    ///   and the session has ended; ``ClientError/sessionEnded(_:)`` if the server has ended the session;
    ///   ``ClientError/store(_:)`` if neither the store nor the server has recorded its end.
    public func unlock(_ reason: String) async throws(ClientError) { try await keeper.unlock(reason) }

    // MARK: Account

    /// Fetches the signed-in user from the server, and stores the answer with the session.
    ///
    /// - Throws: ``ClientError/notSignedIn``, ``ClientError/locked``, or the failure of the request.
    @discardableResult
    public func refreshUser() async throws(ClientError) -> User { try await keeper.refreshUser() }

    /// Changes the user's name.
    ///
    /// - Parameter name: The full name; nil or empty sends none.
    /// - Returns: The user as the server has stored it.
    /// - Throws: ``ClientError/refused(_:)`` with `AuthError.invalid` for a name that is not valid, before anything is
    ///   sent; ``ClientError/notSignedIn``, ``ClientError/locked``, or the failure of the request.
    @discardableResult
    public func updateProfile(name: String?) async throws(ClientError) -> User {
        try await updateProfile(name: name, attributes: [:])
    }

    /// Changes the user's attributes, and the name.
    ///
    /// - Parameters:
    ///   - name: The full name; nil or empty sends none.
    ///   - attributes: New values by the names that the app declares on the server, such as `avatar_url`. The others keep
    ///     their values.
    /// - Returns: The user as the server has stored it.
    /// - Throws: The errors of ``updateProfile(name:)``; ``ClientError/refused(_:)`` with
    ///   `AuthError.malformedRequest` for an attribute with a name of the contract, before anything is sent, and with
    ///   `AuthError.invalidAttribute` if the server rejects an attribute.
    @discardableResult
    public func updateProfile(
        name: String? = nil, attributes: [String: AttributeValue]
    ) async throws(ClientError) -> User {
        let fullName = try personName(name)
        let (user, session) = try await authorized {
            UpdateProfile(accessToken: $0, fullName: fullName, attributes: attributes)
        }
        await keeper.keep(user, of: session)
        return user
    }

    /// Changes the password and ends the account's other sessions. This session continues with new tokens; its earlier
    /// refresh tokens are revoked.
    ///
    /// - Throws: ``ClientError/refused(_:)`` if the server rejects one of the passwords; ``ClientError/notSignedIn`` or
    ///   ``ClientError/locked`` without a usable session.
    public func changePassword(from current: String, to new: String) async throws(ClientError) {
        try await steppingUp { owner throws(ClientError) in
            try await keeper.changePassword(from: Secret(current), to: Secret(new), as: owner)
        }
    }

    /// Sets the first password of an account with a passkey, and ends the account's other sessions.
    ///
    /// - Throws: ``ClientError/refused(_:)`` with `AuthError.stepUpRequired` unless the session was authenticated recently,
    ///   with `AuthError.invalid` if the account has a password or the new one is not acceptable; ``ClientError/notSignedIn``
    ///   or ``ClientError/locked`` without a usable session.
    public func setPassword(_ new: String) async throws(ClientError) {
        try await steppingUp { owner throws(ClientError) in
            try await keeper.changePassword(from: nil, to: Secret(new), as: owner)
        }
    }

    /// Requests an email with instructions to reset the password. The answer is the same whether or not an account with
    /// that address exists.
    ///
    /// - Throws: ``ClientError/refused(_:)`` with `AuthError.invalid` for a malformed address, before anything is sent.
    public func requestPasswordReset(email: String) async throws(ClientError) {
        _ = try await perform(RequestPasswordReset(email: try parsed(.email, email, EmailAddress.init)))
    }

    /// Sets a new password with the token from the email. Every session of the account ends.
    ///
    /// - Throws: ``ClientError/refused(_:)`` if the server rejects the token or the password.
    public func resetPassword(token: String, newPassword: String) async throws(ClientError) {
        _ = try await perform(ResetPassword(proof: .token(Secret(token)), password: Secret(newPassword)))
    }

    /// Sets a new password with a one-time code that was sent to the phone. Every session of the account ends.
    ///
    /// - Parameter digits: The code as the user typed it.
    /// - Throws: ``ClientError/refused(_:)`` with `AuthError.invalid` for digits that are not a code, before anything
    ///   is sent; with another reason if the server rejects the code or the password.
    public func resetPassword(
        code: RequestedCode, digits: String, newPassword: String
    ) async throws(ClientError) {
        let digits = try parsed(.code, digits, OneTimeCode.init)
        _ = try await perform(
            ResetPassword(proof: .code(digits, code.phoneNumber), password: Secret(newPassword)))
    }

    /// Requests a link by which the account recognizes this device, after a sign-in was refused with
    /// `AuthError.deviceLinkRequired`. The answer is the same whether or not the account exists.
    ///
    /// - Parameter identifier: The identifier as the user typed it, of the kind that the contract signs in with.
    /// - Throws: ``ClientError/refused(_:)`` with `AuthError.invalid` for a malformed identifier, before anything is sent.
    public func requestDeviceLink(for identifier: String) async throws(ClientError) {
        let parsed: Identifier =
            switch auth.contract.rules.identifier {
            case .email, .subject: .email(try parsed(.email, identifier, EmailAddress.init))
            case .phoneNumber: .phoneNumber(try parsed(.phoneNumber, identifier, PhoneNumber.init(typed:)))
            case .username: .username(try parsed(.username, identifier, Username.init))
            }
        _ = try await perform(RequestDeviceLink(identifier: parsed))
    }

    /// Lets the account recognize this device, with the token of the link. Call it when the user confirms the link, then
    /// sign in.
    ///
    /// - Throws: ``ClientError/refused(_:)`` with `AuthError.challengeRefused` for a token that was used or has expired.
    public func redeemDeviceLink(token: String) async throws(ClientError) {
        _ = try await perform(RedeemDeviceLink(token: Secret(token)))
    }

    /// Returns the account's sessions on every device, as the server lists them.
    ///
    /// - Throws: ``ClientError/notSignedIn``, ``ClientError/locked``, or the failure of the request.
    public func accountSessions() async throws(ClientError) -> [SessionSummary] {
        try await authorized { ListSessions(accessToken: $0) }.answer
    }

    /// Ends one of ``accountSessions()`` on the server.
    ///
    /// - Throws: ``ClientError/notSignedIn``, ``ClientError/locked``, or the failure of the request.
    public func endSession(_ id: SessionID) async throws(ClientError) {
        _ = try await authorized { EndSession(accessToken: $0, sessionID: id) }
    }

    /// Returns the devices that the account recognizes at a sign-in, the most recently used first.
    ///
    /// - Throws: ``ClientError/notSignedIn``, ``ClientError/locked``, or the failure of the request.
    public func recognizedDevices() async throws(ClientError) -> [DeviceSummary] {
        try await authorized { ListDevices(accessToken: $0) }.answer.devices
    }

    /// Forgets one of ``recognizedDevices()``. Its sessions continue.
    ///
    /// - Throws: ``ClientError/notSignedIn``, ``ClientError/locked``, or the failure of the request.
    public func forgetDevice(_ id: DeviceID) async throws(ClientError) {
        _ = try await authorized { ForgetDevice(accessToken: $0, deviceID: id) }
    }

    /// Deletes the account permanently, and signs out on this device.
    ///
    /// - Parameter password: The current password; nil for accounts without one.
    /// - Throws: ``ClientError/refused(_:)`` with `AuthError.stepUpRequired` if the account has no password and the
    ///   sign-in was more than five minutes ago: ask the user to sign in again, then call it again.
    public func deleteAccount(password: String? = nil) async throws(ClientError) {
        let (_, session) = try await authorized {
            DeleteAccount(accessToken: $0, password: password.map { Secret($0) })
        }
        await keeper.end(session, as: .signedOut)
    }

    /// Performs an operation with the session's access token; after a 401 about the token, once more with a
    /// replacement; and after a step-up, see ``steppingUp(_:)``.
    func authorized<Operation: AuthOperation>(
        _ operation: @Sendable (Secret<String>) -> Operation
    ) async throws(ClientError) -> (answer: Operation.Answer, session: ClientSession.ID) {
        let (answer, token) = try await steppingUp { owner throws(ClientError) in
            try await performAuthorized(operation, as: owner)
        }
        return (answer, token.session)
    }

    /// Performs an operation with the session's access token; after a 401 about the token, once more with a
    /// replacement.
    ///
    /// - Parameter owner: A token of the user whose operation it is.
    /// - Returns: The answer, and the token that the server accepted.
    func performAuthorized<Operation: AuthOperation>(
        _ operation: @Sendable (Secret<String>) -> Operation, as owner: IssuedToken
    ) async throws(ClientError) -> (answer: Operation.Answer, token: IssuedToken) {
        let token = try await keeper.token()
        guard token.isOfSamePerson(as: owner) else { throw .notSignedIn }
        do {
            return (try await keeper.perform(operation(token.token), as: token), token)
        } catch .refused(let refusal) where refusal.isAboutAccessToken {
            let next = try await keeper.replacement(for: token, refusal: refusal)
            return (try await keeper.perform(operation(next.token), as: next), next)
        }
    }
}
