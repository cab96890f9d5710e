public import OstiaryCore

extension Administration {
    /// Returns a page of accounts in order of creation, beginning after `position`.
    ///
    /// - Returns: The accounts, and the position of the last; the position is `nil` if there are no more.
    public func accounts(after position: Int?, limit: Int) async throws -> (page: [Account], position: Int?) {
        try await ports.store.accounts(in: app.name, after: position, limit: limit)
    }

    /// Creates an account.
    ///
    /// - Parameter password: The account's password; `nil` for an account whose owner sets one through a reset.
    /// - Throws: ``AdministrationProblem`` if the record or the password is not acceptable, or another account has one
    ///   of its names.
    public func create(_ record: AccountRecord, password: Secret<String>?) async throws -> Account {
        var new = try record.account(in: app, now: now)
        try requireFit(new.email, new.username, provider: new.provider)
        if let password { new.passwordHash = try await hash(password, of: new) }
        return try await audited(new)
    }

    /// Checks and hashes the password of a new account.
    func hash(_ password: Secret<String>, of new: NewAccount) async throws -> String {
        if let problem = await problem(with: password, of: new) { throw problem }
        return try await ports.passwords.hash(password)
    }

    /// Returns the reason that a new account cannot have a password; nil for none.
    func problem(with password: Secret<String>, of new: NewAccount) async -> AdministrationProblem? {
        let own = Account.ownNames(app.name, new.email, new.username, new.phoneNumber, new.fullName)
        return await engine.problem(withNew: password, own: own).map(unacceptable)
    }

    /// Adds an account after it is audited, so without the id, which the store assigns.
    func audited(_ new: NewAccount) async throws -> Account {
        let identifiers: [Identifier?] = [
            new.email.map { .email($0) }, new.username.map { .username($0) }, new.phoneNumber.map { .phoneNumber($0) },
        ]
        try await audit("users.create", identifier: identifiers.compactMap(\.self).first)
        if let hash = new.passwordHash { ports.passwords.expect(hash) }
        do {
            return try await ports.store.add(new, spending: nil)
        } catch StoreRefusal.identifierTaken {
            throw try await collision(of: new).problem
        }
    }

    private func unacceptable(_ problem: FieldProblem) -> AdministrationProblem {
        .invalid("password", problem.code, "the password is not acceptable: \(problem.code)")
    }

    /// Enables an account, or disables it and ends its sessions. Both void its reset links and invitations.
    ///
    /// - Returns: The updated account.
    /// - Throws: ``AdministrationProblem`` if the app has no such account.
    @discardableResult
    public func setActive(_ isActive: Bool, _ id: AccountID) async throws -> Account {
        try await change(id, AccountChange(isActive: isActive), as: isActive ? "users.enable" : "users.disable")
    }

    /// Adds and then removes roles of an account.
    ///
    /// - Returns: The updated account.
    /// - Throws: ``AdministrationProblem`` if the app has no such account.
    @discardableResult
    public func changeRoles(
        of id: AccountID, adding added: [RoleAssignment], removing removed: [RoleAssignment]
    ) async throws -> Account {
        try await change(id, AccountChange(addedRoles: added, removedRoles: removed), as: "users.roles")
    }

    func change(_ id: AccountID, _ change: AccountChange, as action: String) async throws -> Account {
        let account = try await account(id)
        try await audit(action, id)
        return try await apply(change, to: account)
    }

    /// Sets an account's password, ends its sessions and informs its owner by mail, if it has an email.
    ///
    /// - Returns: The account as it was before the change.
    /// - Throws: ``AdministrationProblem`` if the password is not acceptable, or the app has no such account.
    @discardableResult
    public func setPassword(_ password: Secret<String>, of id: AccountID) async throws -> Account {
        let account = try await account(id)
        do {
            let isSet = try await engine.setPassword(password, in: .password, of: account, by: .administrator) {
                try await audit("users.set-password", id)
            }
            guard isSet else { throw noAccount(id.text) }
        } catch AuthError.invalid(_, let problem) {
            throw unacceptable(problem)
        }
        return account
    }

    /// Deletes an account with its sessions, tokens and known networks.
    ///
    /// - Returns: The deleted account.
    /// - Throws: ``AdministrationProblem`` if the app has no such account.
    @discardableResult
    public func delete(_ id: AccountID) async throws -> Account {
        let account = try await account(id)
        try await audit("users.delete", id)
        let isDeleted = try await keepingHolder { role in
            try await ports.store.delete(id, in: app.name, credentialVersion: nil, keeping: role)
        }
        guard isDeleted else { throw noAccount(id.text) }
        await engine.forgetNetworks(of: account)
        return account
    }
}
