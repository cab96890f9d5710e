import OstiaryCore

extension Administration {
    /// Adds accounts that come from elsewhere, ids and password hashes kept. Of records that exclude each other, the first
    /// is added.
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
        let new = try record.account(in: app, now: now)
        if let hash = new.passwordHash, !engine.ports.passwords.canCheck(hash) {
            throw AdministrationProblem("password_hash: is none that can be checked (bcrypt, cost up to 16)")
        }
        return new
    }

    private func outcome(adding new: NewAccount) async throws -> ImportOutcome {
        do {
            _ = try await add(new)
            return .added
        } catch let problem as AdministrationProblem {
            if try await isThere(new) { return .alreadyThere }
            // To someone who signs in elsewhere the username is a label, and gives way to whoever signs in with it.
            guard new.provider != "local", let subject = new.providerSubject, let name = try? Username(subject),
                new.username != name
            else { return .refused(problem) }
            var renamed = new
            renamed.username = name
            do {
                _ = try await add(renamed)
                return .added
            } catch let problem as AdministrationProblem {
                return .refused(problem)
            }
        }
    }

    /// Whether the same person has an account already. What may have changed since is not compared.
    private func isThere(_ new: NewAccount) async throws -> Bool {
        let (accounts, app) = (engine.ports.accounts, app.name)
        if let id = new.id { return try await accounts.account(id, in: app)?.isSamePerson(as: new) ?? false }
        let identifiers: [Identifier?] = [
            new.username.map { .username($0) }, new.email.map { .email($0) }, new.phoneNumber.map { .phoneNumber($0) },
            new.providerSubject.flatMap { try? Username($0) }.map { .username($0) },
        ]
        for identifier in identifiers.compactMap({ $0 }) {
            if let account = try await accounts.account(identifiedBy: identifier, in: app) {
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

/// What became of one record of an import.
public enum ImportOutcome: Hashable, Sendable {
    case added
    /// The same person has an account, which was left as it is.
    case alreadyThere
    case refused(AdministrationProblem)
}

extension NewAccount {
    /// What no other account of the app may have as well.
    fileprivate var uniqueNames: Set<String> {
        var names: Set<String> = []
        if let id { names.insert("id \(id.text)") }
        if let username { names.insert("name \(username.canonical)") }
        if let email, provider == "local" { names.insert("name \(email.canonical)") }
        if let phoneNumber { names.insert("phone \(phoneNumber.e164)") }
        if let providerSubject { names.insert("subject \(provider) \(providerSubject)") }
        return names
    }
}

extension Account {
    fileprivate func isSamePerson(as new: NewAccount) -> Bool {
        guard provider == new.provider, providerSubject == new.providerSubject else { return false }
        // The provider's name for the person says it all; the others are labels.
        return providerSubject != nil
            || email == new.email && username == new.username && phoneNumber == new.phoneNumber
    }
}
