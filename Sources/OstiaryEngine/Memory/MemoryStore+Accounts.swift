public import Foundation
public import OstiaryCore

extension MemoryStore {
    /// Returns the account with that id; `nil` if the app has none.
    public func account(_ id: AccountID, in app: AppName) -> Account? {
        transaction { $0.apps[app]?.rows[id]?.account }
    }

    /// Returns the account with that email, phone number or username; `nil` if there is none.
    public func account(identifiedBy identifier: Identifier, in app: AppName) -> Account? {
        transaction { tables in
            guard let table = tables.apps[app] else { return nil }
            switch identifier {
            case .phoneNumber(let number):
                return table.phoneNumbers[number.e164].flatMap { table.rows[$0]?.account }
            case .username(let username):
                // Usernames and emails share one set of names, so the lookup as an email is the same.
                return table.account(named: username.lookupKeys)
            case .email(let email):
                guard let account = table.account(named: [email.canonical]), account.signsInByEmail,
                    let own = account.email, own.canonical.utf8.elementsEqual(email.canonical.utf8)
                else { return nil }
                return account
            }
        }
    }

    /// Returns at most `limit` accounts whose username or email has the canonical form `name`, in order of creation.
    public func accounts(labelled name: String, in app: AppName, limit: Int) -> [Account] {
        transaction { tables in
            guard let table = tables.apps[app] else { return [] }
            let found = table.order.lazy.compactMap { table.rows[$0]?.account }
                .filter { account in
                    [account.username?.canonical, account.email?.canonical]
                        .contains { $0?.utf8.elementsEqual(name.utf8) == true }
                }
            return Array(found.prefix(max(0, limit)))
        }
    }

    /// Returns a page of 1 to 10,000 accounts in order of creation, beginning after `position`.
    public func accounts(
        in app: AppName, after position: Int?, limit: Int
    ) -> (page: [Account], position: Int?) {
        let limit = max(1, min(limit, 10_000))
        let found = transaction { tables -> [AccountTable.Row] in
            guard let table = tables.apps[app] else { return [] }
            let rows = table.order.lazy.compactMap { table.rows[$0] }.filter { $0.number > position ?? 0 }
            return Array(rows.prefix(limit + 1))
        }
        let page = found.prefix(limit)
        return (page.map(\.account), found.count > limit ? page.last?.number : nil)
    }

    /// Returns every account of an app, in order of creation.
    package func accounts(in app: AppName) -> [Account] {
        transaction { tables in
            guard let table = tables.apps[app] else { return [] }
            return table.order.compactMap { table.rows[$0]?.account }
        }
    }

    /// Applies the fields that `change` sets; disabling an account and unlinking its identity end its
    /// sessions, another identifier or state voids its reset tokens, another address or state what was sent to it.
    ///
    /// - Throws: ``StoreRefusal``; ``DuplicateKey`` if the message's id is in use. Nothing has changed then.
    public func change(
        _ id: AccountID, in app: AppName, _ change: AccountChange, at now: Date
    ) throws -> Account? {
        try transaction { tables throws in
            guard let row = tables.apps[app]?.rows[id] else { return nil }
            let before = row.account
            let after = try change.applied(
                to: before, passkeys: row.factors.count { $0.kind == .passkey })
            if let role = change.keptRole, before.isHolder(of: role), !after.isHolder(of: role) {
                try tables.requireHolder(of: role, besides: id, in: app)
            }
            let isRenamed = !after.hasSameIdentifiers(as: before)
            if isRenamed, let notice = change.identifiers?.notice { try tables.checkNew(notice) }
            try tables.apps[app]?.rename(from: before, to: after, by: change.identifiers)
            tables.apps[app]?.rows[id]?.account = after
            tables.apps[app]?.rows[id]?.updatedAt = now.asStored
            if let reason = change.sessionEnd {
                tables.endSessions(of: id, in: app, keeping: nil, Revocation(reason: reason, at: now))
            } else if change.endsImpersonations {
                tables.endImpersonations(of: id, in: app, Revocation(reason: .actorRevoked, at: now))
            }
            if !before.keepsResetTokens(becoming: after) {
                tables.resetTokens = tables.resetTokens.filter { $0.key.app != app || $0.value.account != id }
            }
            if !before.keepsSentLinks(becoming: after) {
                if let record = change.voidedLinks { tables.replaceEarlier(record) }
                for recipient in change.voidedCodes {
                    tables.codes[RecipientKey(app: app, recipient: recipient)] = nil
                }
            }
            if isRenamed, let notice = change.identifiers?.notice { tables.enqueue(notice) }
            return after
        }
    }

    /// Returns the bcrypt hash with the highest cost among an app's accounts; `nil` if there is none.
    public func costliestHash(in app: AppName) -> String? {
        transaction { tables in
            // The cost is two digits after the algorithm: `$2b$12$`.
            tables.apps[app]?.rows.values.compactMap(\.account.passwordHash).max { one, other in
                one.utf8.dropFirst(4).prefix(2).lexicographicallyPrecedes(other.utf8.dropFirst(4).prefix(2))
            }
        }
    }

    /// Replaces a password hash, if the stored one is still `old`.
    public func upgradePasswordHash(of id: AccountID, in app: AppName, from old: String, to new: String) {
        transaction { tables in
            guard tables.apps[app]?.rows[id]?.account.passwordHash?.utf8.elementsEqual(old.utf8) == true else { return }
            tables.apps[app]?.rows[id]?.account.passwordHash = new
        }
    }

    /// Deletes the account with its sessions and reset tokens, if its credential version is `version` or `version` is
    /// `nil`.
    public func delete(
        _ id: AccountID, in app: AppName, credentialVersion version: Int?, keeping role: String?
    ) throws -> Bool {
        try transaction { tables throws in
            guard let row = tables.apps[app]?.rows[id], version.map({ $0 == row.account.credentialVersion }) ?? true
            else { return false }
            if let role, row.account.isHolder(of: role) { try tables.requireHolder(of: role, besides: id, in: app) }
            for session in row.sessions { tables.sessions[session] = nil }
            tables.resetTokens = tables.resetTokens.filter { $0.key.app != app || $0.value.account != id }
            tables.apps[app]?.remove(id)
            return true
        }
    }
}

extension MemoryTables {
    /// - Throws: ``StoreRefusal/lastHolder`` if no other active account has the role.
    fileprivate func requireHolder(of role: String, besides id: AccountID, in app: AppName) throws(StoreRefusal) {
        let others = apps[app]?.rows.values.contains { $0.account.id != id && $0.account.isHolder(of: role) }
        guard others == true else { throw .lastHolder }
    }
}

extension AccountTable {
    /// - Parameter keys: The keys in order of precedence.
    fileprivate func account(named keys: [String]) -> Account? {
        keys.lazy.compactMap { owner(ofName: $0) }.first.flatMap { rows[$0]?.account }
    }

    /// Changes the names, the phone number and the provider's identity that an account is found by.
    ///
    /// - Throws: ``StoreRefusal/identifierTaken``; nothing has changed then.
    fileprivate mutating func rename(
        from before: Account, to after: Account, by change: IdentifierChange?
    ) throws(StoreRefusal) {
        let id = before.id
        let owned = names.filter { $0.value == id }.map { String(decoding: $0.key, as: UTF8.self) }
        let changes = SignInNameChange(from: before, to: after, by: change, owned: owned)
        func isForeign(_ name: String) -> Bool { owner(ofName: name).map { $0 != id } ?? false }
        let isTaken =
            changes.taken.contains { isForeign($0) && isHeld($0, againstOwnerOf: changes.email) }
            || changes.foreign.contains(where: isForeign)
            || after.phoneNumber.flatMap { phoneNumbers[$0.e164] }.map { $0 != id } ?? false
        guard !isTaken else { throw .identifierTaken }
        for name in changes.dropped { names[Array(name.utf8)] = nil }
        for name in changes.taken { names[Array(name.utf8)] = id }
        for name in changes.takenIfFree where owner(ofName: name) == nil { names[Array(name.utf8)] = id }
        if let number = before.phoneNumber { phoneNumbers[number.e164] = nil }
        if let number = after.phoneNumber { phoneNumbers[number.e164] = id }
        if after.providerSubject == nil {
            identities = identities.filter { $0.value != id }
            imported = imported.filter { $0.value != id }
        }
    }

    fileprivate mutating func remove(_ id: AccountID) {
        rows[id] = nil
        order.removeAll { $0 == id }
        names = names.filter { $0.value != id }
        phoneNumbers = phoneNumbers.filter { $0.value != id }
        identities = identities.filter { $0.value != id }
        imported = imported.filter { $0.value != id }
    }
}
