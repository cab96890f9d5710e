import Foundation
import OstiaryContracts
public import OstiaryCore
import OstiaryEngine

/// Acts of an administrator. An account is named by its id, email, username or phone number, or by its subject at a
/// provider; for an unknown account these functions do nothing.
extension TestServer {
    /// Creates an account as a registration would, without a code and without a session.
    ///
    /// - Parameters:
    ///   - password: Stored without a check of its strength.
    ///   - roles: The account's roles, for routes that require one: `ROLE`, or `ROLE@SCOPE`.
    ///   - attributes: Values of the attributes that ``TestServerRules/attributes`` declares, of either access.
    /// - Throws: `FieldProblem` for an invalid identifier, name or role, `AuthError.identifierTaken`,
    ///   `AuthError.invalidAttribute`.
    @discardableResult
    public func addAccount(
        email: String? = nil, username: String? = nil, phoneNumber: String? = nil, password: String,
        fullName: String? = nil, roles: [String] = [], attributes: [String: AttributeValue] = [:]
    ) throws -> User {
        var account = NewAccount(
            app: backend.app, idKind: contract.rules.accountIDs, email: try email.map { try EmailAddress($0) },
            username: try username.map { try Username($0) },
            phoneNumber: try phoneNumber.map { try PhoneNumber($0) },
            fullName: try fullName.map { try PersonName($0) },
            passwordHash: backend.passwords.hash(Secret(password)), assignments: try assignments(roles),
            createdAt: clock.now)
        account.attributes = try rules.attributes.validated(attributes, by: .admin).values
        do { return user(of: try backend.store.add(account, spending: nil)) } catch StoreRefusal.identifierTaken {
            throw AuthError.identifierTaken
        }
    }

    private func user(of account: Account) -> User { backend.service.app.user(of: account) }

    /// Every account, in the order of creation.
    public var users: [User] { backend.store.accounts(in: backend.app).map(user) }

    /// Returns the account's public data; `nil` for an unknown account.
    public func user(_ who: String) -> User? { account(who).map(user) }

    /// Disables an account and ends its sessions, or enables it again.
    public func setActive(_ isActive: Bool, _ who: String) { change(who, AccountChange(isActive: isActive)) }

    /// Disables an account and ends its sessions; the same as ``setActive(_:_:)`` with `false`.
    public func disable(_ who: String) { setActive(false, who) }

    /// Replaces the roles of an account: `ROLE`, or `ROLE@SCOPE`.
    ///
    /// - Throws: `FieldProblem.malformed` for a malformed role or scope; nothing has changed then.
    public func setRoles(_ roles: [String], of who: String) throws(FieldProblem) {
        let former = account(who)?.assignments ?? []
        let assignments = try assignments(roles)
        change(who, AccountChange(addedRoles: assignments, removedRoles: former.filter { !assignments.contains($0) }))
    }

    /// Sets attributes of an account as an administrator does; nil removes one.
    ///
    /// - Throws: `AuthError.invalidAttribute` for a name that ``TestServerRules/attributes`` does not declare, and for a value
    ///   that is not acceptable.
    public func setAttributes(_ values: [String: AttributeValue?], of who: String) throws {
        let attributes = try rules.attributes.validated(values, by: .admin)
        change(who, AccountChange(attributes: attributes))
    }

    private func assignments(_ roles: [String]) throws(FieldProblem) -> [RoleAssignment] {
        do { return try RoleAssignment.read(roles) } catch { throw .malformed }
    }

    /// Sets a password without a check of its strength, and ends the account's sessions.
    public func setPassword(_ password: String, of who: String) {
        guard let account = account(who) else { return }
        _ = try? backend.store.setPassword(
            PasswordChange(
                app: backend.app, account: account.id, hash: backend.passwords.hash(Secret(password)),
                reason: .passwordReset, at: clock.now))
    }

    /// Deletes an account and its sessions.
    public func delete(_ who: String) {
        guard let account = account(who) else { return }
        _ = try? backend.store.delete(account.id, in: backend.app, credentialVersion: nil, keeping: nil)
    }

    /// Ends every session of an account.
    public func endSessions(of who: String) {
        guard let account = account(who) else { return }
        _ = backend.store.revokeAll(
            of: account.id, in: backend.app, keeping: nil,
            Revocation(reason: .endedByAdministrator, at: clock.now))
    }

    /// Returns the number of an account's sessions that are neither revoked nor expired; zero for an unknown account.
    public func sessions(of who: String) -> Int {
        account(who).map { backend.store.sessions(of: $0.id, in: backend.app, at: clock.now).count } ?? 0
    }

    /// Requires a further step at the account's next sign-in with the right password; `nil` requires none.
    public func challenge(_ who: String, with challenge: TestChallenge?) {
        if let account = account(who) { try? backend.credentialProvider.challenge(account.id, with: challenge) }
    }

    private func account(_ who: String) -> Account? { backend.store.account(named: who, in: backend.app) }

    private func change(_ who: String, _ change: AccountChange) {
        guard let account = account(who) else { return }
        _ = try? backend.store.change(account.id, in: backend.app, change, at: clock.now)
    }
}

extension MemoryStore {
    /// Returns the account with that id, phone number, username, email or subject at a provider, in this order.
    func account(named who: String, in app: AppName) -> Account? {
        if let id = try? AccountID(who), let account = account(id, in: app) { return account }
        var identifiers: [Identifier] = []
        if let number = try? PhoneNumber(who) { identifiers.append(.phoneNumber(number)) }
        if let username = try? Username(who) { identifiers.append(.username(username)) }
        if let email = try? EmailAddress(who) { identifiers.append(.email(email)) }
        for identifier in identifiers {
            if let account = account(identifiedBy: identifier, in: app) { return account }
        }
        return accounts(in: app).first { $0.providerSubject.map { $0.utf8.elementsEqual(who.utf8) } ?? false }
    }
}
