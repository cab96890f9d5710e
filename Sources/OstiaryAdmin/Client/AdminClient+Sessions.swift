public import OstiaryAdminAPI

extension AdminClient {
    /// Lists the sessions of an account.
    public func sessions(of id: String, in app: String) -> AdminList<AdminSession> {
        list(AdminAPI.listSessions, path: [app, id])
    }

    /// Ends all sessions of an account.
    ///
    /// - Throws: ``AdminError``.
    public func endSessions(of id: String, in app: String) async throws(AdminError) {
        _ = try await perform(AdminAPI.endSessions, path: [app, id])
    }

    /// Ends a session.
    ///
    /// - Throws: ``AdminError``.
    public func endSession(_ session: String, of id: String, in app: String) async throws(AdminError) {
        _ = try await perform(AdminAPI.endSession, path: [app, id, session])
    }

    /// Lists the second factors of an account.
    public func factors(of id: String, in app: String) -> AdminList<AdminFactor> {
        list(AdminAPI.listFactors, path: [app, id])
    }

    /// Removes all second factors of an account, and notifies its owner.
    ///
    /// - Throws: ``AdminError``.
    public func removeFactors(of id: String, in app: String) async throws(AdminError) {
        _ = try await perform(AdminAPI.removeFactors, path: [app, id])
    }

    /// Removes a second factor, and notifies its owner.
    ///
    /// - Throws: ``AdminError``.
    public func removeFactor(_ factor: String, of id: String, in app: String) async throws(AdminError) {
        _ = try await perform(AdminAPI.removeFactor, path: [app, id, factor])
    }

    /// Lists the linked identities of an account.
    public func identities(of id: String, in app: String) -> AdminList<AdminIdentity> {
        list(AdminAPI.listIdentities, path: [app, id])
    }

    /// Removes a linked identity.
    ///
    /// - Throws: ``AdminError``, with the code `last_way_in` if its owner could not sign in without it.
    public func removeIdentity(_ identity: String, of id: String, in app: String) async throws(AdminError) {
        _ = try await perform(AdminAPI.removeIdentity, path: [app, id, identity])
    }
}
