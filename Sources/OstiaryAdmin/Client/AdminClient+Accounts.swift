public import OstiaryAdminAPI
public import OstiaryCore

extension AdminClient {
    /// Lists the accounts of an app.
    public func accounts(
        in app: String, _ query: AdminAccountQuery = AdminAccountQuery()
    ) -> AdminList<AdminAccount> {
        list(AdminAPI.listAccounts, path: [app], query)
    }

    /// Creates an account, and invites its owner if the creation says so.
    ///
    /// - Parameter idempotencyKey: A key of the program's own, such as the number of an order, with which a second call
    ///   within 24 hours returns the same account; nil for a key of this call.
    /// - Throws: ``AdminError``, among others with the code `identifier_taken`.
    public func createAccount(
        _ account: AdminAccountCreation, in app: String, idempotencyKey: String? = nil
    ) async throws(AdminError) -> AdminAccount {
        try await perform(AdminAPI.createAccount, path: [app], body: account, idempotencyKey: idempotencyKey)
    }

    /// Returns an account.
    ///
    /// - Throws: ``AdminError``, with the code `not_found` if there is none.
    public func account(_ id: String, in app: String) async throws(AdminError) -> AdminAccount {
        try await perform(AdminAPI.getAccount, path: [app, id])
    }

    /// Changes an account by a merge patch, and returns it.
    ///
    /// - Throws: ``AdminError``.
    public func updateAccount(
        _ id: String, in app: String, _ patch: AdminAccountPatch
    ) async throws(AdminError) -> AdminAccount {
        try await perform(AdminAPI.updateAccount, path: [app, id], body: patch)
    }

    /// Deletes an account with everything that belongs to it.
    ///
    /// - Throws: ``AdminError``, with the code `not_found` too if an earlier attempt of this call deleted it and its answer was
    ///   lost.
    public func deleteAccount(_ id: String, in app: String) async throws(AdminError) {
        _ = try await perform(AdminAPI.deleteAccount, path: [app, id])
    }

    /// Disables an account and ends its sessions.
    ///
    /// - Throws: ``AdminError``.
    public func disableAccount(_ id: String, in app: String) async throws(AdminError) {
        _ = try await perform(AdminAPI.disableAccount, path: [app, id])
    }

    /// Enables an account.
    ///
    /// - Throws: ``AdminError``.
    public func enableAccount(_ id: String, in app: String) async throws(AdminError) {
        _ = try await perform(AdminAPI.enableAccount, path: [app, id])
    }

    /// Sets the password of an account, and ends its sessions.
    ///
    /// - Throws: ``AdminError``.
    public func setPassword(_ password: Secret<String>, of id: String, in app: String) async throws(AdminError) {
        _ = try await perform(AdminAPI.setPassword, path: [app, id], body: AdminPasswordChange(password: password))
    }

    /// Sends the owner of an account a link to choose a new password.
    ///
    /// - Throws: ``AdminError``.
    public func sendPasswordReset(
        to id: String, in app: String, idempotencyKey: String? = nil
    ) async throws(AdminError) {
        _ = try await perform(AdminAPI.sendPasswordReset, path: [app, id], idempotencyKey: idempotencyKey)
    }

    /// Sends the owner of an account without a password a link to choose one.
    ///
    /// - Throws: ``AdminError``.
    public func sendInvitation(to id: String, in app: String, idempotencyKey: String? = nil) async throws(AdminError) {
        _ = try await perform(AdminAPI.sendInvitation, path: [app, id], idempotencyKey: idempotencyKey)
    }

    /// Replaces the roles of an account, and returns the roles that it has now.
    ///
    /// - Throws: ``AdminError``.
    @discardableResult
    public func setRoles(
        _ roles: [AdminRoleAssignment], of id: String, in app: String
    ) async throws(AdminError) -> [AdminRoleAssignment] {
        try await perform(AdminAPI.setRoles, path: [app, id], body: AdminRoleAssignments(roles: roles)).roles
    }

    /// Returns everything that is kept about a person.
    ///
    /// - Throws: ``AdminError``.
    public func export(of id: String, in app: String) async throws(AdminError) -> AdminExport {
        try await perform(AdminAPI.exportAccount, path: [app, id])
    }

    /// Opens a short session of a person, for support. The audit log keeps the reason.
    ///
    /// - Parameter lifetime: The lifetime, at most 15 minutes, in whole seconds; nil for the server's.
    /// - Throws: ``AdminError``.
    public func impersonate(
        _ id: String, in app: String, reason: String, lifetime: Duration? = nil
    ) async throws(AdminError) -> AdminImpersonation {
        let request = AdminImpersonationRequest(
            reason: reason, expiresIn: lifetime.map { Int(clamping: $0.components.seconds) })
        return try await perform(AdminAPI.impersonate, path: [app, id], body: request)
    }
}
