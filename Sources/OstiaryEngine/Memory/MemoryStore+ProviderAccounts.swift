import Foundation
package import OstiaryCore

extension MemoryStore {
    /// Returns the account of a person that an identity provider vouches for, updated; creates it if there is none.
    ///
    /// - Throws: ``StoreRefusal/identifierTaken`` if usernames are unique and other accounts have all of them.
    public func account(of arrival: ProviderArrival) throws -> Account {
        let uuid = surroundings.uuid()
        return try transaction { tables throws in
            let known = tables.apps[arrival.app]?.known(arrival)
            var account = try known ?? tables.insert(arrival, uuid: uuid)
            tables.apps[arrival.app]?.update(&account, arrival, isNew: known == nil)
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
    fileprivate mutating func insert(_ arrival: ProviderArrival, uuid: String) throws -> Account {
        var username = arrival.usernames.first
        if arrival.hasUniqueUsernames, username != nil {
            username = arrival.usernames.first { username in
                username.lookupKeys.allSatisfy { apps[arrival.app]?.owner(ofName: $0) == nil }
            }
            guard username != nil else { throw StoreRefusal.identifierTaken }
        }
        let identity = arrival.identity
        let account = NewAccount(
            app: arrival.app, idKind: arrival.idKind, email: identity.email, username: username,
            fullName: identity.fullName ?? arrival.newName, provider: arrival.kind, providerSubject: identity.subject,
            isEmailVerified: identity.email != nil && identity.isEmailVerified, createdAt: arrival.at)
        return try insert(
            account, as: newAccountID(arrival.idKind, in: arrival.app, uuid: uuid), issuer: identity.issuer,
            names: arrival.hasUniqueUsernames ? Set([username?.canonical].compactMap(\.self)) : [])
    }
}

extension AccountTable {
    /// Returns the account of that issuer and subject, or one that was imported from a table without issuers.
    fileprivate mutating func known(_ arrival: ProviderArrival) -> Account? {
        let (issuer, subject) = (arrival.identity.issuer, arrival.identity.subject)
        if let id = identities[ProviderKey(issuer, subject)] { return rows[id]?.account }
        guard arrival.claimsImported, let id = imported[ProviderKey(arrival.kind, subject)] else { return nil }
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
    fileprivate mutating func update(_ account: inout Account, _ arrival: ProviderArrival, isNew: Bool) {
        if !isNew { follow(arrival, &account) }
        if let hash = arrival.passwordHash {
            account.passwordHash = hash
            // The email signs in unless it is another account's name.
            if arrival.signsInByEmail, let email = arrival.identity.email, owner(ofName: email.canonical) == nil {
                names[Array(email.canonical.utf8)] = account.id
            }
        }
        rows[account.id]?.account = account
    }

    private mutating func follow(_ arrival: ProviderArrival, _ account: inout Account) {
        let label = arrival.label(after: account)
        if let email = arrival.identity.email {
            if let old = account.email, old != email, account.passwordHash != nil,
                owner(ofName: old.canonical) == account.id
            {
                names[Array(old.canonical.utf8)] = nil
            }
            account.email = email
            account.isEmailVerified = arrival.identity.isEmailVerified
        }
        if let name = arrival.identity.fullName { account.fullName = name }
        if let label { account.username = label }
    }
}
