public import OstiaryCore

/// The operations as commands name their account: by its id, email, username or phone number, see
/// ``Administration/account(_:)-(String)``.
extension Administration {
    /// Enables an account, or disables it and ends its sessions. Both void its reset links and invitations.
    ///
    /// - Throws: ``AdministrationProblem`` if `who` names no account or several.
    public func setActive(_ isActive: Bool, _ who: String) async throws -> Account {
        try await setActive(isActive, account(who).id)
    }

    /// Adds and then removes roles of an account: `ROLE`, or `ROLE@SCOPE`.
    ///
    /// - Returns: The updated account.
    /// - Throws: ``AdministrationProblem`` for a malformed role, or if `who` names no account or several.
    public func changeRoles(_ who: String, adding added: [String], removing removed: [String]) async throws -> Account {
        let (added, removed) = (try RoleAssignment.read(added), try RoleAssignment.read(removed))
        return try await changeRoles(of: account(who).id, adding: added, removing: removed)
    }

    /// Sets an account's password, ends its sessions and informs its owner by mail, if it has an email.
    ///
    /// - Returns: The account as it was before the change.
    /// - Throws: ``AdministrationProblem`` if the password is not acceptable, or `who` names no account or several.
    public func setPassword(_ password: Secret<String>, of who: String) async throws -> Account {
        try await setPassword(password, of: account(who).id)
    }

    /// Deletes an account with its sessions, tokens and known networks.
    ///
    /// - Returns: The deleted account.
    /// - Throws: ``AdministrationProblem`` if `who` names no account or several.
    public func delete(_ who: String) async throws -> Account { try await delete(account(who).id) }

    /// Returns the live sessions of an account, the most recently used first.
    ///
    /// - Throws: ``AdministrationProblem`` if `who` names no account or several.
    public func sessions(of who: String) async throws -> [Session] { try await sessions(of: account(who).id) }

    /// Ends the session with that id, if it has not ended yet.
    ///
    /// - Throws: ``AdministrationProblem`` if there is none in the app.
    public func revokeSession(_ id: String) async throws {
        guard let session = try? SessionID(id), let state = try await ports.store.session(session, in: app.name) else {
            throw AdministrationProblem.notFound("no session \(id) in \(app.name)")
        }
        try await revoke(state)
    }

    /// Ends every session of an account.
    ///
    /// - Returns: The number of sessions that were ended.
    /// - Throws: ``AdministrationProblem`` if `who` names no account or several.
    public func revokeAllSessions(of who: String) async throws -> Int {
        try await revokeAllSessions(of: account(who).id)
    }

    /// Returns the second factors of an account.
    ///
    /// - Throws: ``AdministrationProblem`` if `who` names no account or several.
    public func factors(of who: String) async throws -> EnrolledFactors { try await factors(of: account(who).id) }

    /// Removes all second factors and recovery codes of an account, ends its sessions and informs its owner.
    ///
    /// - Returns: The account, and the number of removed factors.
    /// - Throws: ``AdministrationProblem`` if `who` names no account or several, or the account has no factors.
    public func resetFactors(of who: String) async throws -> (account: Account, count: Int) {
        try await resetFactors(of: account(who).id)
    }
}
