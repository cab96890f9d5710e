public import OstiaryClient
public import OstiaryCore

extension AuthViewModel {
    /// Asks who is signed in; the answer comes in ``state``. Fails silently: what is known stays shown.
    @discardableResult
    public func loadUser() -> Task<Void, Never>? {
        guard isSignedIn else { return nil }
        return begin(.loadUser, again: nil) { [auth] () async throws(ClientError) in
            _ = try await auth.refreshUser()
        } take: { _, _ in
        }
    }

    @discardableResult
    public func updateProfile() -> Task<Void, Never>? {
        guard isSignedIn, let typed = filled(.updateProfile) else { return nil }
        return begin(.updateProfile, again: { $0.updateProfile() }) { [auth] () async throws(ClientError) in
            _ = try await auth.updateProfile(name: typed.name)
        } take: { model, _ in
            model.tell(.profileSaved)
        }
    }

    /// Replaces the password typed at `password` by the one at `newPassword`.
    @discardableResult
    public func changePassword() -> Task<Void, Never>? {
        guard isSignedIn, let typed = filled(.changePassword) else { return nil }
        return begin(.changePassword, again: { $0.changePassword() }) { [auth] () async throws(ClientError) in
            try await auth.changePassword(from: typed.password, to: typed.newPassword)
        } take: { model, _ in
            model.fields.forgetSecrets()
            model.left = []
            model.tell(.passwordChanged)
        }
    }

    @discardableResult
    public func loadSessions() -> Task<Void, Never>? {
        guard isSignedIn, screens.listsSessions else { return nil }
        return begin(.loadSessions, again: { $0.loadSessions() }) { [auth] () async throws(ClientError) in
            try await auth.accountSessions()
        } take: { model, sessions in
            model.sessions = sessions
        }
    }

    /// Ends one of the account's sessions; the one in use by signing out.
    @discardableResult
    public func endSession(_ id: SessionID) -> Task<Void, Never>? {
        guard isSignedIn else { return nil }
        if sessions.contains(where: { $0.id == id && $0.isCurrent }) { return signOut() }
        return begin(.endSession(id), again: { $0.endSession(id) }) { [auth] () async throws(ClientError) in
            try await auth.endSession(id)
        } take: { model, _ in
            model.sessions.removeAll { $0.id == id }
        }
    }

    /// Deletes the account for good, with the password typed where it has one.
    @discardableResult
    public func deleteAccount() -> Task<Void, Never>? {
        guard isSignedIn, let typed = filled(.deleteAccount) else { return nil }
        let password = typed.password.isEmpty ? nil : typed.password
        return begin(.deleteAccount, again: { $0.deleteAccount() }) { [auth] () async throws(ClientError) in
            try await auth.deleteAccount(password: password)
        } take: { model, _ in
            model.fields.forgetSecrets()
            model.tell(.accountDeleted)
        }
    }

    // MARK: Locking

    /// Has the person show themselves, where the session is locked, or its store says nothing before they do.
    ///
    /// - Parameter reason: What the system tells them, in a short sentence.
    @discardableResult
    public func unlock(_ reason: String) -> Task<Void, Never>? {
        guard state == .locked || state == .unknown else { return nil }
        return begin(.unlock, again: { $0.unlock(reason) }) { [auth] () async throws(ClientError) in
            try await auth.unlock(reason)
        } take: { model, _ in
            // One that was opened before its closing was told is told neither.
            model.take(model.auth.state)
        }
    }

    // MARK: Several accounts

    @discardableResult
    public func loadAccounts() -> Task<Void, Never> {
        begin(.loadAccounts, again: { $0.loadAccounts() }) { [auth] () async throws(ClientError) in
            try await auth.savedAccounts()
        } take: { model, accounts in
            model.accounts = accounts
        }
    }

    /// Goes on as another of ``accounts``.
    @discardableResult
    public func switchAccount(to id: ClientSession.ID) -> Task<Void, Never> {
        begin(.switchAccount(id), again: { $0.switchAccount(to: id) }) { [auth] () async throws(ClientError) in
            try await auth.switchAccount(to: id)
        } take: { _, _ in
        }
    }
}
