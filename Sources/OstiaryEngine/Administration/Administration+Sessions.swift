public import OstiaryCore

extension Administration {
    /// Returns the live sessions of an account, the most recently used first.
    ///
    /// - Throws: ``AdministrationProblem`` if the app has no such account.
    public func sessions(of id: AccountID) async throws -> [Session] {
        engine.located(try await ports.store.sessions(of: account(id).id, in: app.name, at: now))
    }

    /// Ends a session of an account, if it has not ended yet.
    ///
    /// - Throws: ``AdministrationProblem`` if the account has no such session.
    public func revokeSession(_ session: SessionID, of id: AccountID) async throws {
        guard let state = try await ports.store.session(session, in: app.name), state.account.id == id else {
            throw AdministrationProblem.notFound("no session \(session) of the account \(id) in \(app.name)")
        }
        try await revoke(state)
    }

    func revoke(_ state: SessionState) async throws {
        try await audit("sessions.revoke", state.account.id, state.session.id)
        _ = try await engine.end(state.session.id, .endedByAdministrator)
    }

    /// Ends every session of an account.
    ///
    /// - Returns: The number of sessions that were ended.
    /// - Throws: ``AdministrationProblem`` if the app has no such account.
    @discardableResult
    public func revokeAllSessions(of id: AccountID) async throws -> Int {
        let account = try await account(id)
        try await audit("sessions.revoke", account.id)
        return try await ports.store.revokeAll(
            of: account.id, in: app.name, keeping: nil, Revocation(reason: .endedByAdministrator, at: now))
    }
}
