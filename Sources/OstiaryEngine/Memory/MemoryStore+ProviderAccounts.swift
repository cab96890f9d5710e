import Foundation
package import OstiaryCore

extension MemoryStore {
    /// Returns the account of a person that an identity provider vouches for, updated; creates it if there is none.
    ///
    /// - Throws: ``StoreRefusal/identifierTaken`` if usernames are unique and other accounts have all of them.
    public func account(of upsert: ProviderAccountUpsert) throws -> Account {
        let uuid = system.uuid()
        return try transaction { tables throws in
            let known = tables.apps[upsert.app]?.known(upsert)
            var account = try known ?? tables.insert(upsert, uuid: uuid)
            tables.apps[upsert.app]?.update(&account, upsert, isNew: known == nil)
            return account
        }
    }

    /// Adds a provider identity that the account is found by. The account itself does not change.
    ///
    /// - Throws: ``StoreRefusal/identifierTaken`` if another account of the app has that identity.
    package func link(_ id: AccountID, in app: AppName, issuer: String, subject: String) throws(StoreRefusal) {
        try transaction { tables throws(StoreRefusal) in
            guard let table = tables.apps[app], table.rows[id] != nil else { return }
            let key = AccountTable.ProviderKey(issuer, subject)
            if let owner = table.identities[key], owner != id { throw .identifierTaken }
            tables.apps[app]?.identities[key] = id
        }
    }
}

extension MemoryTables {
    fileprivate mutating func insert(_ upsert: ProviderAccountUpsert, uuid: String) throws -> Account {
        var username = upsert.usernames.first
        if upsert.hasUniqueUsernames, username != nil {
            username = upsert.usernames.first { username in
                username.lookupKeys.allSatisfy { apps[upsert.app]?.owner(ofName: $0) == nil }
            }
            guard username != nil else { throw StoreRefusal.identifierTaken }
        }
        let identity = upsert.identity
        let account = NewAccount(
            app: upsert.app, idKind: upsert.idKind, email: identity.email, username: username,
            fullName: identity.fullName ?? upsert.newName, provider: upsert.kind, providerSubject: identity.subject,
            isEmailVerified: identity.email != nil && identity.isEmailVerified, createdAt: upsert.at)
        return try insert(
            account, as: newAccountID(upsert.idKind, in: upsert.app, uuid: uuid), issuer: identity.issuer,
            names: upsert.hasUniqueUsernames ? Set([username?.canonical].compactMap(\.self)) : [])
    }
}

extension AccountTable {
    /// Returns the account of that issuer and subject, or one that was imported from a table without issuers.
    fileprivate mutating func known(_ upsert: ProviderAccountUpsert) -> Account? {
        let (issuer, subject) = (upsert.identity.issuer, upsert.identity.subject)
        if let id = identities[ProviderKey(issuer, subject)] { return rows[id]?.account }
        guard upsert.claimsImported, let id = imported[ProviderKey(upsert.kind, subject)] else { return nil }
        return link(id, issuer: issuer, subject: subject)
    }

    /// - Parameter subject: A subject whose identity no other account has.
    fileprivate mutating func link(_ id: AccountID, issuer: String, subject: String) -> Account? {
        guard var account = rows[id]?.account else { return nil }
        if let old = account.providerSubject {
            if let issuer = account.providerIssuer {
                identities[ProviderKey(issuer, old)] = nil
            } else {
                imported[ProviderKey(account.provider, old)] = nil
            }
        }
        (account.providerIssuer, account.providerSubject) = (issuer, subject)
        identities[ProviderKey(issuer, subject)] = id
        rows[id]?.account = account
        return account
    }

    /// Updates labels from the provider; labels that the provider omits remain.
    fileprivate mutating func update(_ account: inout Account, _ upsert: ProviderAccountUpsert, isNew: Bool) {
        let before = account
        if !isNew { follow(upsert, &account) }
        if let hash = upsert.passwordHash {
            account.passwordHash = hash
            // The email signs in unless it is another account's name.
            if upsert.signsInByEmail, let email = upsert.identity.email, owner(ofName: email.canonical) == nil {
                names[Array(email.canonical.utf8)] = account.id
            }
        }
        rows[account.id]?.account = account
        if account != before { rows[account.id]?.updatedAt = upsert.at.asStored }
    }

    private mutating func follow(_ upsert: ProviderAccountUpsert, _ account: inout Account) {
        let label = upsert.label(after: account)
        if let email = upsert.identity.email {
            if let old = account.email, old != email, account.passwordHash != nil,
                owner(ofName: old.canonical) == account.id
            {
                names[Array(old.canonical.utf8)] = nil
            }
            account.email = email
            account.isEmailVerified = upsert.identity.isEmailVerified
        }
        if let name = upsert.identity.fullName { account.fullName = name }
        if let label { account.username = label }
    }
}
