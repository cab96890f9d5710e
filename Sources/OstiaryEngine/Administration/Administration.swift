import Foundation
public import OstiaryCore

/// An administrator's operations on one app's accounts and sessions. Every change is first written to the audit log as
/// `cli.…` with the actor, and is not made if that fails.
public struct Administration: Sendable {
    let engine: AuthEngine
    /// The operating system's user who runs the command, for the audit log: `cli:alice`.
    let actor: String

    /// Creates the operations for an engine's app, on behalf of `actor`.
    public init(engine: AuthEngine, actor: String) {
        self.engine = engine
        self.actor = actor
    }

    var app: AppSettings { engine.app }
    private var ports: Ports { engine.ports }
    var now: Date { ports.system.now() }

    // MARK: Accounts

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
        if let password {
            let own = Account.ownNames(app.name, new.email, new.username, new.phoneNumber, new.fullName)
            if let problem = await engine.problem(withNew: password, own: own) {
                throw AdministrationProblem("the password is not acceptable: \(problem.code)")
            }
            new.passwordHash = try await ports.passwords.hash(password)
        }
        // Audited before the account is created, so without the id, which the store assigns.
        let identifiers: [Identifier?] = [
            new.email.map { .email($0) }, new.username.map { .username($0) }, new.phoneNumber.map { .phoneNumber($0) },
        ]
        try await audit("users.create", identifier: identifiers.compactMap(\.self).first)
        return try await add(new)
    }

    /// Enables an account, or disables it and ends its sessions.
    ///
    /// - Returns: The updated account.
    /// - Throws: ``AdministrationProblem`` if `who` names no account or several.
    public func setActive(_ isActive: Bool, _ who: String) async throws -> Account {
        try await change(who, AccountChange(isActive: isActive), as: isActive ? "users.enable" : "users.disable")
    }

    /// Adds and then removes roles of an account: `ROLE`, or `ROLE@SCOPE`.
    ///
    /// - Returns: The updated account.
    /// - Throws: ``AdministrationProblem`` for a malformed role, or if `who` names no account or several.
    public func changeRoles(_ who: String, adding added: [String], removing removed: [String]) async throws -> Account {
        try await change(
            who,
            AccountChange(addedRoles: try RoleAssignment.read(added), removedRoles: try RoleAssignment.read(removed)),
            as: "users.roles")
    }

    private func change(_ who: String, _ change: AccountChange, as action: String) async throws -> Account {
        let account = try await account(who)
        try await audit(action, account.id)
        guard let changed = try await ports.store.change(account.id, in: app.name, change, at: now) else {
            throw AdministrationProblem("no account \(who) in \(app.name)")
        }
        return changed
    }

    /// Sets an account's password, ends its sessions and informs its owner by mail, if it has an email.
    ///
    /// - Returns: The account as it was before the change.
    /// - Throws: ``AdministrationProblem`` if the password is not acceptable, or `who` names no account or several.
    public func setPassword(_ password: Secret<String>, of who: String) async throws -> Account {
        let account = try await account(who)
        try await audit("users.set-password", account.id)
        do {
            _ = try await engine.setPassword(password, in: .password, of: account, reason: .passwordChanged)
        } catch AuthError.invalid(_, let problem) {
            throw AdministrationProblem("the password is not acceptable: \(problem.code)")
        }
        return account
    }

    /// Deletes an account with its sessions, tokens and known networks.
    ///
    /// - Returns: The deleted account.
    /// - Throws: ``AdministrationProblem`` if `who` names no account or several.
    public func delete(_ who: String) async throws -> Account {
        let account = try await account(who)
        try await audit("users.delete", account.id)
        _ = try await ports.store.delete(account.id, in: app.name, credentialVersion: nil)
        await engine.forgetNetworks(of: account)
        return account
    }

    // MARK: Sessions

    /// Returns the live sessions of an account, the most recently used first.
    ///
    /// - Throws: ``AdministrationProblem`` if `who` names no account or several.
    public func sessions(of who: String) async throws -> [Session] {
        try await ports.store.sessions(of: account(who).id, in: app.name, at: now)
    }

    /// Ends the session with that id, if it has not ended yet.
    ///
    /// - Throws: ``AdministrationProblem`` if there is none in the app.
    public func revokeSession(_ id: String) async throws {
        guard let session = try? SessionID(id),
            let state = try await ports.store.session(session, in: app.name)
        else { throw AdministrationProblem("no session \(id) in \(app.name)") }
        try await audit("sessions.revoke", state.account.id, session)
        _ = try await engine.end(session, revocation.reason)
    }

    /// Ends every session of an account.
    ///
    /// - Returns: The number of sessions that were ended.
    /// - Throws: ``AdministrationProblem`` if `who` names no account or several.
    public func revokeAllSessions(of who: String) async throws -> Int {
        let account = try await account(who)
        try await audit("sessions.revoke", account.id)
        return try await ports.store.revokeAll(of: account.id, in: app.name, keeping: nil, revocation)
    }

    // MARK: Second factors

    /// Returns the second factors of an account.
    ///
    /// - Throws: ``AdministrationProblem`` if `who` names no account or several.
    public func factors(of who: String) async throws -> EnrolledFactors {
        try await ports.store.factors(of: account(who).id, in: app.name)
    }

    /// Removes all second factors and recovery codes of an account, ends its sessions and informs its owner.
    ///
    /// - Returns: The account, and the number of removed factors.
    /// - Throws: ``AdministrationProblem`` if `who` names no account or several, or the account has no factors.
    public func resetFactors(of who: String) async throws -> (account: Account, count: Int) {
        let account = try await account(who)
        guard try await !ports.store.factors(of: account.id, in: app.name).factors.isEmpty else {
            throw AdministrationProblem("\(who) has no second factors; nothing has changed")
        }
        try await audit("users.factors.reset", account.id)
        let undo = engine.undoLink(for: .reset, of: account)
        let count = try await ports.store.removeFactors(
            of: account.id, in: app.name, Revocation(reason: .factorsChanged, at: now),
            notice: engine.notice(of: .reset, to: account, undo), undo: undo?.record())
        ports.notificationSealer.wake()
        return (account, count)
    }

    private var revocation: Revocation { Revocation(reason: .endedByAdministrator, at: now) }

    // MARK: Implementation

    func add(_ new: NewAccount) async throws -> Account {
        if let hash = new.passwordHash { ports.passwords.expect(hash) }
        do {
            return try await ports.store.add(new, spending: nil)
        } catch StoreRefusal.identifierTaken {
            throw try await collision(of: new).problem
        }
    }

    func audit(
        _ action: String, _ account: AccountID? = nil, _ session: SessionID? = nil, identifier: Identifier? = nil
    ) async throws {
        try await ports.store.append(
            AuditEvent(
                at: now, app: app.name, action: "cli.\(action)", outcome: "ok", account: account, session: session,
                identifier: identifier?.masked, actor: actor))
    }
}
