public import OstiaryCore

extension Administration {
    /// Returns the account with that id and its details.
    ///
    /// - Throws: ``AdministrationProblem`` if the app has none.
    public func details(of id: AccountID) async throws -> AccountDetails {
        guard let details = try await ports.store.details(of: id, in: app.name) else { throw noAccount(id.text) }
        return details
    }

    /// Returns a page of the accounts that match a query.
    ///
    /// Reads ``AccountQuery/maximumScanned`` accounts at most, so that a condition which few accounts fulfil ends the page early
    /// instead of reading all accounts. A search by text lists the accounts by the id, phone number, email, username or name
    /// that begins with it; other lists are in order of creation, those of second factors by id.
    ///
    /// - Throws: ``AdministrationProblem`` for a malformed condition, limit or cursor.
    public func accounts(_ query: AccountQuery) async throws -> AccountPage {
        let sources = try query.sources()
        let start = try query.cursor.map { text throws(AdministrationProblem) in
            try AccountCursor(text, of: query, in: engine)
        }
        var (index, position) = (start?.source ?? 0, start?.accountPosition)
        var left = AccountQuery.maximumScanned
        var items: [AccountDetails] = []
        // The place of the last item, from which the next page begins if there is another one.
        var last = AccountCursor(source: index, after: position)
        while index < sources.count, left > 0 {
            let chunk = min(left, max(Self.leastChunk, query.limit - items.count + 1))
            let listed = try await ports.store.accounts(
                from: sources[index], in: app.name, after: position, limit: chunk)
            for entry in listed {
                left -= 1
                position = entry.position
                let isListed = sources[..<index].contains { $0.contains(entry.details) }
                guard !isListed, query.matches(entry.details) else { continue }
                guard items.count < query.limit else {
                    return AccountPage(items: items, nextCursor: try last.sealed(for: query, in: engine))
                }
                items.append(entry.details)
                last = AccountCursor(source: index, after: position)
            }
            if listed.count < chunk { (index, position) = (index + 1, nil) }
        }
        guard index < sources.count else { return AccountPage(items: items, nextCursor: nil) }
        let next = AccountCursor(source: index, after: position)
        return AccountPage(items: items, nextCursor: try next.sealed(for: query, in: engine))
    }

    /// The number of accounts that are read at once at least, where conditions may exclude some.
    private static let leastChunk = 100
}
