import Foundation
import OstiaryCore

extension MemoryStore {
    /// Creates an account and redeems `secret`, if there is one.
    ///
    /// - Throws: ``StoreRefusal/identifierTaken``; ``StoreRefusal/alreadySpent``.
    public func add(_ account: NewAccount, spending secret: SingleUseSecret?) throws -> Account {
        let uuid = system.uuid()
        return try transaction { tables throws in
            if let secret { try tables.checkUnspent(secret) }
            if let passkey = account.passkey, tables.apps[account.app]?.hasFactor(likePasskey: passkey) == true {
                throw StoreRefusal.identifierTaken
            }
            let id = try account.id ?? tables.newAccountID(account.idKind, in: account.app, uuid: uuid)
            if let invitation = account.invitation { try tables.checkNew(invitation.message) }
            let names = Set([account.usernameKey, account.emailKey].compactMap(\.self))
            guard account.factors.allSatisfy({ tables.apps[account.app]?.hasFactor(like: $0) != true }) else {
                throw StoreRefusal.identifierTaken
            }
            let added = try tables.insert(account, as: id, issuer: nil, names: names)
            tables.apps[account.app]?.rows[id]?.factors = account.factors.map(\.asStored)
            tables.apps[account.app]?.rows[id]?.recoveryCodes = Set(account.recoveryCodes)
            if let passkey = account.passkey {
                tables.apps[account.app]?.rows[id]?.factors = [passkey.factor(of: added)]
            }
            if let secret { tables.spend(secret) }
            if let invitation = account.invitation {
                tables.keep(.resetToken(invitation.resetToken(of: id, in: account.app)))
                tables.enqueue(invitation.message)
            }
            return added
        }
    }
}

extension MemoryTables {
    func newAccountID(_ kind: AppRules.AccountIDKind, in app: AppName, uuid: String) throws(FieldProblem) -> AccountID {
        switch kind {
        case .uuid: try AccountID(uuid)
        case .integer: try AccountID(String((apps[app]?.lastIntegerID ?? 0) + 1))
        }
    }

    /// Inserts an account into the tables.
    ///
    /// - Parameters:
    ///   - issuer: The provider's issuer; `nil` for local and imported accounts.
    ///   - names: The keys that the account signs in by.
    /// - Throws: ``StoreRefusal/identifierTaken``; nothing has changed then.
    mutating func insert(
        _ new: NewAccount, as id: AccountID, issuer: String?, names: Set<String>
    ) throws -> Account {
        let account = Account(
            app: new.app, id: id, email: new.email, username: try new.keptUsername.map { try Username($0) },
            phoneNumber: new.phoneNumber, fullName: new.fullName, passwordHash: new.passwordHash,
            assignments: new.assignments,
            isActive: new.isActive, provider: new.provider, providerIssuer: issuer,
            providerSubject: new.providerSubject, isEmailVerified: new.isEmailVerified,
            isPhoneNumberVerified: new.isPhoneNumberVerified, createdAt: new.createdAt.asStored)
        let number = nextNumber()
        try apps[new.app, default: AccountTable()].insert(
            account, number: number, names: names, spelledKeys: names.isEmpty ? [] : new.spelledKeys,
            email: new.emailKey == new.usernameKey ? nil : new.emailKey)
        return account
    }
}

extension AccountTable {
    /// - Parameters:
    ///   - spelledKeys: Names that must be free besides those that sign in.
    ///   - email: The one of the names that is free even if a provider's account without a password has it.
    fileprivate mutating func insert(
        _ account: Account, number: Int, names: Set<String>, spelledKeys: [String], email: String?
    ) throws(StoreRefusal) {
        let id = account.id
        let identity = account.providerSubject.map { subject in
            (hasIssuer: account.providerIssuer != nil, ProviderKey(account.providerIssuer ?? account.provider, subject))
        }
        let isTaken =
            rows[id] != nil || spelledKeys.contains { owner(ofName: $0) != nil }
            || names.contains { isHeld($0, againstOwnerOf: email) }
            || account.phoneNumber.map { phoneNumbers[$0.e164] != nil } ?? false
            || identity.map { ($0.hasIssuer ? identities[$0.1] : imported[$0.1]) != nil } ?? false
        guard !isTaken else { throw .identifierTaken }
        rows[id] = Row(account: account, number: number)
        order.append(id)
        for name in names { self.names[Array(name.utf8)] = id }
        if let phoneNumber = account.phoneNumber { phoneNumbers[phoneNumber.e164] = id }
        if let identity {
            if identity.hasIssuer { identities[identity.1] = id } else { imported[identity.1] = id }
        }
        noteInteger(id)
    }

    /// Returns `true` if a name is taken. A provider's account without a password, whose username is an email address,
    /// does not count against a local account's email: it does not sign in by that name.
    ///
    /// Emails are unique among local accounts only. A person who signs in at a provider must not block an address for
    /// its owner.
    func isHeld(_ name: String, againstOwnerOf email: String?) -> Bool {
        guard let owner = owner(ofName: name).flatMap({ rows[$0]?.account }) else { return false }
        guard let email, email.utf8.elementsEqual(name.utf8) else { return true }
        return owner.provider == "local" || owner.passwordHash != nil
    }

    /// Keeps the app's counter at or above an id that is in use, generated or given.
    private mutating func noteInteger(_ id: AccountID) {
        // A number beyond the counter's range is not recorded; it would leave no room for further ids.
        guard let integer = Int64(id.text), (1..<Int64(1) << 53).contains(integer) else { return }
        lastIntegerID = max(lastIntegerID, integer)
    }
}
