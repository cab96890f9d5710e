import OstiaryCore

extension Administration {
    /// Adds accounts that come from another system; ids, password hashes, second factors and the spelling of usernames are
    /// kept. An account and its factors are added in one transaction.
    ///
    /// Of records that collide, the first is added as it is. The others are added without the email, or with a username
    /// that signs in only in its exact spelling; they are refused where that does not resolve the collision.
    ///
    /// Idempotent: running the same import again adds missing accounts and changes nothing else.
    ///
    /// - Parameter seals: Those that open ``AccountRecord/factors``.
    /// - Returns: The outcome of each record, in the order of the records.
    /// - Throws: If the store or the audit log fails.
    public func importAccounts(
        _ records: [AccountRecord], opening seals: [FactorSeal] = []
    ) async throws -> [ImportOutcome] {
        try await audit(Self.importAction)
        if records.contains(where: \.hasFactors) { try await audit("users.factors.import") }
        var outcomes = [ImportOutcome](repeating: .added, count: records.count)
        var accounts: [(index: Int, account: Importable)] = []
        for (index, record) in records.enumerated() {
            do { accounts.append((index, try importable(record, opening: seals))) } catch {
                outcomes[index] = .refused(error)
            }
        }
        var claimed: Set<String> = []
        var rivals: [(index: Int, account: Importable)] = []
        var independent: [(index: Int, account: Importable)] = []
        for (index, account) in accounts {
            let claims = account.account.uniqueNames.union(account.factors?.uniqueNames ?? [])
            if claimed.isDisjoint(with: claims) {
                independent.append((index, account))
            } else {
                rivals.append((index, account))
            }
            claimed.formUnion(claims)
        }
        // Records with an id first, so that the store assigns none of these ids to the others.
        for hasID in [true, false] {
            try await withThrowingTaskGroup(of: (Int, ImportOutcome).self) { group in
                for (index, account) in independent where (account.account.id != nil) == hasID {
                    // Concurrently, so the store can group many into one commit.
                    group.addTask { (index, try await outcome(adding: account)) }
                }
                for try await (index, outcome) in group { outcomes[index] = outcome }
            }
        }
        for (index, account) in rivals { outcomes[index] = try await outcome(adding: account) }
        return outcomes
    }

    /// A record that was checked.
    private struct Importable: Sendable {
        var account: NewAccount
        var factors: ImportedFactors?
    }

    private func importable(
        _ record: AccountRecord, opening seals: [FactorSeal]
    ) throws(AdministrationProblem) -> Importable {
        var new = try record.account(in: app, now: now)
        new.keepsSpelling = true
        if let hash = new.passwordHash, !engine.ports.passwords.canImport(hash) {
            throw AdministrationProblem.unsupportedHash
        }
        let factors = try importedFactors(of: record, opening: seals)
        guard factors == nil || new.id != nil || app.rules.accountIDs == .uuid else {
            throw AdministrationProblem("id: is needed with second factors, because \(app.name) counts its accounts")
        }
        return Importable(account: new, factors: factors)
    }

    /// Adds an account, and yields names to other accounts where its owner can still sign in.
    private func outcome(adding importable: Importable) async throws -> ImportOutcome {
        let record = importable.account
        var new = record
        if let hash = new.passwordHash { engine.ports.passwords.expect(hash) }
        if let id = new.id { try await auditReuse(of: id) }
        var changes = importable.factors?.changes ?? []
        // Username and email can each yield once; another process may take a name in between.
        for _ in 0..<5 {
            let whole = try importable.factors.map { try adding($0, to: new) } ?? new
            do {
                _ = try await engine.ports.store.add(whole, spending: nil)
                return changes.isEmpty ? .added : .addedChanged(changes)
            } catch StoreRefusal.identifierTaken {
                if try await isThere(record) { return .alreadyThere }
                if let problem = try await collision(ofFactorsOf: whole) { return .refused(problem) }
                let collision = try await collision(of: new)
                if case .unknown = collision, !whole.factors.isEmpty {
                    return .refused(AdministrationProblem("factors: another account of \(app.name) has one of them"))
                }
                guard let change = new.rename(in: collision) else { return .refused(collision.problem) }
                changes.append(change)
            }
        }
        return .refused(Collision.unknown.problem)
    }

    /// Marks the end of the events of a deleted account whose id a record has, see ``startOfHistory(of:)``.
    ///
    /// Before the account is added: while no account has the id, all its events are those of deleted ones.
    private func auditReuse(of id: AccountID) async throws {
        let action = "\(actor.actionPrefix).\(Self.importAction)"
        guard let last = try await auditEvents(of: id, limit: 1).page.first?.event,
            !last.action.utf8.elementsEqual(action.utf8), try await ports.store.account(id, in: app.name) == nil
        else { return }
        try await audit(Self.importAction, id)
    }

    private static let importAction = "users.import"

    /// Returns the position from which on the events of an account's id are those of the account; nil for all of them.
    ///
    /// The time of creation is none: an import gives an account that of the other system.
    func startOfHistory(of id: AccountID) async throws -> AuditPosition? {
        var latest: AuditPosition?
        for prefix in AdministrationActor.actionPrefixes {
            let query = try AuditQuery(apps: [app.name], account: id, action: "\(prefix).\(Self.importAction)")
            guard let found = try await ports.store.events(query, after: nil, limit: 1).page.first else { continue }
            let before = AuditPosition(at: found.event.at, number: found.id - 1)
            latest = latest.map { max($0, before) } ?? before
        }
        return latest
    }

    /// Returns `true` if the same person has an account already. Attributes that may have changed since are not
    /// compared.
    private func isThere(_ new: NewAccount) async throws -> Bool {
        let (store, app) = (engine.ports.store, app.name)
        if let id = new.id { return try await store.account(id, in: app)?.isSamePerson(as: new) ?? false }
        let identifiers: [Identifier?] = [
            new.username.map { .username($0) }, new.email.map { .email($0) }, new.phoneNumber.map { .phoneNumber($0) },
            new.providerSubject.flatMap { try? Username($0) }.map { .username($0) },
        ]
        for identifier in identifiers.compactMap({ $0 }) {
            if let account = try await store.account(identifiedBy: identifier, in: app) {
                if account.isSamePerson(as: new) { return true }
            }
        }
        return false
    }

    /// Returns a page of accounts with their password hashes, in the format of an import. The first page is audited.
    ///
    /// - Parameter seal: Seals the second factors and the hashes of recovery codes; `nil` to leave them out.
    /// - Returns: The records, and the position of the last; the position is `nil` if there are no more.
    public func exportAccounts(
        after position: Int?, limit: Int, factors seal: FactorSeal? = nil
    ) async throws -> (page: [AccountRecord], position: Int?) {
        if position == nil {
            try await audit("users.export")
            if seal != nil { try await audit("users.factors.export") }
        }
        let (page, next) = try await accounts(after: position, limit: limit)
        var records: [AccountRecord] = []
        for account in page {
            var record = AccountRecord(account)
            let attributes = app.attributes.fitting(account.attributes)
            if !attributes.isEmpty { record.attributes = attributes }
            if let seal { record.factors = try await exportedFactors(of: account, with: seal) }
            records.append(record)
        }
        return (records, next)
    }
}

extension AdministrationProblem {
    /// The refusal of a password hash that this server cannot check, or only at a higher cost than it accepts.
    static var unsupportedHash: AdministrationProblem {
        .invalid(
            "password_hash", "not_supported",
            "password_hash: needs bcrypt with a cost up to 12, or up to the app's bcrypt_cost if that is higher")
    }
}

/// The outcome of one record of an import.
public enum ImportOutcome: Hashable, Sendable {
    /// The account was added as the record describes it.
    case added
    /// The account was added with differences, because another account has the names in the record. One line for each
    /// difference.
    case addedChanged([String])
    /// The same person has an account, which was not changed.
    case alreadyThere
    /// The record was not added.
    case refused(AdministrationProblem)
}

extension NewAccount {
    /// The keys that no other account of the app may have.
    fileprivate var uniqueNames: Set<String> {
        var names: Set<String> = []
        if let id { names.insert("id \(id.text)") }
        if let username, usernameUse != .label { names.insert("name \(username.canonical)") }
        if let email, provider == "local" { names.insert("name \(email.canonical)") }
        if let phoneNumber { names.insert("phone \(phoneNumber.e164)") }
        if let providerSubject { names.insert("subject \(provider) \(providerSubject)") }
        return names
    }

    /// Changes the colliding name so that the owner can still sign in by the name they have.
    ///
    /// - Returns: The change, for the administrator; `nil` if none is possible: an id, a phone number and a provider's
    ///   subject belong to one account.
    fileprivate mutating func rename(in collision: Collision) -> String? {
        switch collision {
        case .username(let name, let other) where provider == "local":
            guard usernameUse == .anySpelling, !other.isSpelled(name) else { return nil }
            usernameUse = .exactSpelling
            let theirs = other.email.map { $0.canonical.utf8.elementsEqual(name.canonical.utf8) } ?? false
            return "username: \(name.verbatim) signs in in this spelling alone, because account \(other.id) has it "
                + (theirs ? "as its email" : "in another spelling")
        case .username(let name, let other):
            // A provider's account does not sign in by its username.
            guard let subject = providerSubject, let own = try? Username(subject), own != name else { return nil }
            username = own
            return "username: \(subject) instead of \(name.verbatim), by which account \(other.id) signs in"
        case .email(let address, let other):
            guard username != nil || phoneNumber != nil else { return nil }
            email = nil
            return "email: \(address.text) is left out, because account \(other.id) has it"
        case .id, .phoneNumber, .providerSubject, .unknown: return nil
        }
    }
}

extension ImportedFactors {
    /// The keys that no other account of the app may have.
    fileprivate var uniqueNames: Set<String> {
        var names: Set<String> = []
        for factor in exported.factors {
            names.insert("factor \(factor.id)")
            if let passkey = factor.passkey { names.insert("passkey \(Array(passkey.credentialID).base64URL)") }
        }
        return names
    }
}

extension Account {
    fileprivate func isSamePerson(as new: NewAccount) -> Bool {
        guard provider == new.provider, providerSubject == new.providerSubject else { return false }
        // The provider's subject identifies the person; the others are labels.
        if providerSubject != nil { return true }
        let names = ImportedNames(username: username, email: email, phoneNumber: phoneNumber)
        let others = ImportedNames(username: new.username, email: new.email, phoneNumber: new.phoneNumber)
        return names.isSamePerson(as: others, hasID: new.id != nil)
    }
}
