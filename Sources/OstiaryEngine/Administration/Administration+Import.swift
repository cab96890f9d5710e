import OstiaryCore

extension Administration {
    /// Adds accounts that come from another system, ids, password hashes and the spelling of usernames kept.
    ///
    /// Of records that collide, the first is added as it is. The others are added without the email, or with a username that
    /// signs in in its exact spelling alone; they are refused where that does not help.
    ///
    /// Running the same import again adds what is missing and changes nothing.
    ///
    /// - Returns: What became of each record.
    public func importAccounts(_ records: [AccountRecord]) async throws -> [ImportOutcome] {
        try await audit("users.import")
        var outcomes = [ImportOutcome](repeating: .added, count: records.count)
        var accounts: [(index: Int, account: NewAccount)] = []
        for (index, record) in records.enumerated() {
            do { accounts.append((index, try importable(record))) } catch { outcomes[index] = .refused(error) }
        }
        var claimed: Set<String> = []
        var rivals: [(index: Int, account: NewAccount)] = []
        try await withThrowingTaskGroup(of: (Int, ImportOutcome).self) { group in
            for (index, account) in accounts {
                let claims = account.uniqueNames
                defer { claimed.formUnion(claims) }
                guard claimed.isDisjoint(with: claims) else {
                    rivals.append((index, account))
                    continue
                }
                // All at once, so that the store can put many into one commit.
                group.addTask { (index, try await outcome(adding: account)) }
            }
            for try await (index, outcome) in group { outcomes[index] = outcome }
        }
        for (index, account) in rivals { outcomes[index] = try await outcome(adding: account) }
        return outcomes
    }

    private func importable(_ record: AccountRecord) throws(AdministrationProblem) -> NewAccount {
        var new = try record.account(in: app, now: now)
        new.keepsSpelling = true
        if let hash = new.passwordHash, !engine.ports.passwords.canCheck(hash) {
            throw AdministrationProblem("password_hash: is none that can be checked (bcrypt, cost up to 16)")
        }
        return new
    }

    /// Adds an account, and gives way to other accounts where only that keeps its owner's sign-in.
    private func outcome(adding record: NewAccount) async throws -> ImportOutcome {
        var new = record
        if let hash = new.passwordHash { engine.ports.passwords.expect(hash) }
        var changes: [String] = []
        // Username and email can each give way once; another process may take a name in between.
        for _ in 0..<5 {
            do {
                _ = try await engine.ports.store.add(new, spending: nil)
                return changes.isEmpty ? .added : .addedChanged(changes)
            } catch StoreRefusal.identifierTaken {
                if try await isThere(record) { return .alreadyThere }
                let collision = try await collision(of: new)
                guard let change = new.giveWay(in: collision) else { return .refused(collision.problem) }
                changes.append(change)
            }
        }
        return .refused(Collision.unknown.problem)
    }

    /// Returns `true` if the same person has an account already. What may have changed since is not compared.
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

    /// A page of accounts with their password hashes, for a file that import takes.
    public func exportAccounts(
        after position: Int?, limit: Int
    ) async throws -> (page: [AccountRecord], position: Int?) {
        if position == nil { try await audit("users.export") }
        let (page, next) = try await accounts(after: position, limit: limit)
        return (page.map { AccountRecord($0) }, next)
    }
}

/// The outcome of one record of an import.
public enum ImportOutcome: Hashable, Sendable {
    case added
    /// Added otherwise than the record says, because another account has what it says. One line for each difference.
    case addedChanged([String])
    /// The same person has an account, which was left as it is.
    case alreadyThere
    case refused(AdministrationProblem)
}

extension NewAccount {
    /// What no other account of the app may have as well.
    fileprivate var uniqueNames: Set<String> {
        var names: Set<String> = []
        if let id { names.insert("id \(id.text)") }
        if let username, usernameUse != .label { names.insert("name \(username.canonical)") }
        if let email, provider == "local" { names.insert("name \(email.canonical)") }
        if let phoneNumber { names.insert("phone \(phoneNumber.e164)") }
        if let providerSubject { names.insert("subject \(provider) \(providerSubject)") }
        return names
    }

    /// Changes what collides so that its owner can go on signing in by the name they have.
    ///
    /// - Returns: What was changed, for the administrator; nil if nothing can be: an id, a phone number and a provider's
    ///   subject are one account's.
    fileprivate mutating func giveWay(in collision: Collision) -> String? {
        switch collision {
        case .username(let name, let other) where provider == "local":
            guard usernameUse == .anySpelling, !other.isSpelled(name) else { return nil }
            usernameUse = .exactSpelling
            let theirs = other.email.map { $0.canonical.utf8.elementsEqual(name.canonical.utf8) } ?? false
            return "username: \(name.verbatim) signs in in this spelling alone, because account \(other.id) has it "
                + (theirs ? "as its email" : "in another spelling")
        case .username(let name, let other):
            // A provider's account does not sign in by it.
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

extension Account {
    fileprivate func isSamePerson(as new: NewAccount) -> Bool {
        guard provider == new.provider, providerSubject == new.providerSubject else { return false }
        // The provider's name for the person says it all; the others are labels.
        if providerSubject != nil { return true }
        // An import may have left the email out.
        guard email == new.email || email == nil && username != nil, phoneNumber == new.phoneNumber else {
            return false
        }
        guard let name = new.username else { return username == nil }
        // Without an id the spelling alone tells names apart that differ in case.
        return new.id == nil ? isSpelled(name) : username == name
    }
}
