import OstiaryCore

extension Administration {
    /// Adds accounts that come from elsewhere, ids and password hashes kept.
    ///
    /// Running the same import again adds nothing: what is there already is refused line by line.
    ///
    /// - Returns: For each record, nil if it was added, else why not.
    public func importAccounts(_ records: [AccountRecord]) async throws -> [AdministrationProblem?] {
        let results = try await withThrowingTaskGroup(of: (Int, AdministrationProblem?).self) { group in
            for (index, record) in records.enumerated() {
                // All at once, so that the store can put many into one commit.
                group.addTask { (index, try await problem(adding: record)) }
            }
            var results = [AdministrationProblem?](repeating: nil, count: records.count)
            for try await (index, problem) in group { results[index] = problem }
            return results
        }
        try await audit("users.import")
        return results
    }

    private func problem(adding record: AccountRecord) async throws -> AdministrationProblem? {
        do {
            let new = try record.account(in: app, now: now)
            if let hash = new.passwordHash, !engine.ports.passwords.canCheck(hash) {
                return AdministrationProblem("password_hash: is none that can be checked (bcrypt, cost up to 16)")
            }
            _ = try await add(new)
            return nil
        } catch let problem as AdministrationProblem {
            return problem
        }
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
