public import OstiaryClient
public import OstiaryCore

extension AuthViewModel {
    /// Loads the user; the result is in ``state``. A failure is not shown, and the known values stay.
    ///
    /// - Returns: `nil` if there is no session.
    @discardableResult
    public func loadUser() -> Task<Void, Never>? {
        guard isSignedIn else { return nil }
        return begin(.loadUser, retrying: nil) { [auth] () async throws(ClientError) in
            _ = try await auth.refreshUser()
        } take: { _, _ in
        }
    }

    /// Saves the name typed in the profile form.
    ///
    /// - Returns: `nil` if there is no session, or the name is invalid.
    @discardableResult
    public func updateProfile() -> Task<Void, Never>? {
        guard isSignedIn, let typed = filled(.updateProfile) else { return nil }
        return begin(.form(.updateProfile), retrying: { $0.updateProfile() }) { [auth] () async throws(ClientError) in
            _ = try await auth.updateProfile(name: typed.name)
        } take: { model, _ in
            model.notify(.profileSaved)
        }
    }

    /// Replaces the password typed at `password` by the one typed at `newPassword`.
    ///
    /// - Returns: `nil` if there is no session, or a field is missing or invalid.
    @discardableResult
    public func changePassword() -> Task<Void, Never>? {
        guard isSignedIn, let typed = filled(.changePassword) else { return nil }
        return begin(.form(.changePassword), retrying: { $0.changePassword() }) { [auth] () async throws(ClientError) in
            try await auth.changePassword(from: typed.password, to: typed.newPassword)
        } take: { model, _ in
            model.fields.forgetSecrets()
            model.visitedEntries = []
            model.notify(.passwordChanged)
        }
    }

    /// Loads the account's sessions into ``sessions``.
    ///
    /// - Returns: `nil` if there is no session, or the server does not list sessions.
    @discardableResult
    public func loadSessions() -> Task<Void, Never>? {
        guard isSignedIn, screens.listsSessions else { return nil }
        return begin(.loadSessions, retrying: { $0.loadSessions() }) { [auth] () async throws(ClientError) in
            try await auth.accountSessions()
        } take: { model, sessions in
            model.sessions = sessions
        }
    }

    /// Ends one of the account's sessions; for the current one it signs out.
    ///
    /// - Returns: `nil` if there is no session.
    @discardableResult
    public func endSession(_ id: SessionID) -> Task<Void, Never>? {
        guard isSignedIn else { return nil }
        if sessions.contains(where: { $0.id == id && $0.isCurrent }) { return signOut() }
        return begin(.endSession(id), retrying: { $0.endSession(id) }) { [auth] () async throws(ClientError) in
            try await auth.endSession(id)
        } take: { model, _ in
            model.sessions.removeAll { $0.id == id }
        }
    }

    /// Loads the devices that the account recognizes.
    ///
    /// - Returns: `nil` if there is no session, or the server lists no devices.
    @discardableResult
    public func loadDevices() -> Task<Void, Never>? {
        guard isSignedIn, screens.listsDevices else { return nil }
        return begin(.loadDevices, retrying: { $0.loadDevices() }) { [auth] () async throws(ClientError) in
            try await auth.recognizedDevices()
        } take: { model, devices in
            model.devices = devices
        }
    }

    /// Forgets one of the devices that the account recognizes.
    ///
    /// - Returns: `nil` if there is no session.
    @discardableResult
    public func forgetDevice(_ id: DeviceID) -> Task<Void, Never>? {
        guard isSignedIn else { return nil }
        return begin(.forgetDevice(id), retrying: { $0.forgetDevice(id) }) { [auth] () async throws(ClientError) in
            try await auth.forgetDevice(id)
        } take: { model, _ in
            model.devices.removeAll { $0.id == id }
        }
    }

    /// Deletes the account permanently, with the password typed at `password` if there is one.
    ///
    /// - Returns: `nil` if there is no session, or a required field is missing.
    @discardableResult
    public func deleteAccount() -> Task<Void, Never>? {
        guard isSignedIn, let typed = filled(.deleteAccount) else { return nil }
        let password = typed.password.isEmpty ? nil : typed.password
        return begin(.form(.deleteAccount), retrying: { $0.deleteAccount() }) { [auth] () async throws(ClientError) in
            try await auth.deleteAccount(password: password)
        } take: { model, _ in
            model.fields.forgetSecrets()
            model.notify(.accountDeleted)
        }
    }

    // MARK: Locking

    /// Asks the person to authenticate with the device, if the session is locked, or its store requires that before it
    /// answers.
    ///
    /// - Parameter reason: The text of the system's prompt, in a short sentence.
    /// - Returns: `nil` in every other state.
    @discardableResult
    public func unlock(_ reason: String) -> Task<Void, Never>? {
        guard state == .locked || state == .unknown else { return nil }
        return begin(.unlock, retrying: { $0.unlock(reason) }) { [auth] () async throws(ClientError) in
            try await auth.unlock(reason)
        } take: { model, _ in
            // If the session is unlocked before its locking was published, neither change is published.
            model.take(model.auth.state)
        }
    }

    // MARK: Several accounts

    /// Loads the accounts that are signed in on this device into ``accounts``.
    @discardableResult
    public func loadAccounts() -> Task<Void, Never> {
        begin(.loadAccounts, retrying: { $0.loadAccounts() }) { [auth] () async throws(ClientError) in
            try await auth.savedAccounts()
        } take: { model, accounts in
            model.accounts = accounts
        }
    }

    /// Makes another of ``accounts`` the current one.
    @discardableResult
    public func switchAccount(to id: ClientSession.ID) -> Task<Void, Never> {
        begin(.switchAccount(id), retrying: { $0.switchAccount(to: id) }) { [auth] () async throws(ClientError) in
            try await auth.switchAccount(to: id)
        } take: { _, _ in
        }
    }
}
