#if canImport(Security)
import OstiaryContracts

/// The items that a contract names, and one more item, the companion, for what they cannot hold.
///
/// A change is made by one write of the companion, which for that moment holds the tokens as well; then the named items
/// follow, and the tokens leave the companion. So a process may be killed between any two writes: what is read is what was
/// there before the first or what is there after the last, never one person's token with another's name.
struct NamedItems: Sendable {
    static let companion = "ostiary"
    /// More than others can write meanwhile. An item that is not shown and yet in the way would be tried for ever.
    static let mostAttempts = 1000

    let accounts: [KeychainRules.Item: String]
    let app: StoredApp
    let keychain: Keychain

    /// What all these items are at one moment.
    struct State: Sendable {
        let companion: Keychain.Item?
        let items: [KeychainRules.Item: Keychain.Item]
        let saved: SavedSessions
        /// How the named items may be until the next change of the companion: as they are, or as one who is at it has them.
        let prints: [NamedPrints]
        /// Whether the named items hold what they should, and the companion no more than it should.
        let isSettled: Bool
        /// Whether every item was found.
        let isWhole: Bool
        var isAbsent: Bool { companion == nil && saved.sessions.isEmpty }
    }

    // MARK: Reading

    /// - Returns: Nil if another client of this app, for another contract or base URL, has the items.
    /// - Throws: ``StoreProblem/damaged(setAside:)`` after moving away what cannot be read.
    func state() throws(StoreProblem) -> State? {
        for _ in 0..<Self.mostAttempts {
            let before = try keychain.item(Self.companion)
            var items: [KeychainRules.Item: Keychain.Item] = [:]
            for (item, account) in accounts { items[item] = try keychain.item(account) }
            // Another process that writes meanwhile would show the tokens of one moment and the name of another.
            guard try keychain.item(Self.companion)?.generation == before?.generation else { continue }
            return try state(before, items)
        }
        throw .busy
    }

    private func state(
        _ companion: Keychain.Item?, _ items: [KeychainRules.Item: Keychain.Item]
    ) throws(StoreProblem) -> State? {
        let now = NamedPrints(items)
        let isWhole = companion != nil && items.count == accounts.count
        guard let companion else {
            let found = try found(items)
            return State(
                companion: nil, items: items, saved: SavedSessions(found), prints: [now], isSettled: found == nil,
                isWhole: isWhole)
        }
        guard let form = try form(companion) else { return nil }
        let valid = items.filter { !form.isStray($1, as: $0) }
        let found = try found(valid)
        var saved = form.saved
        var prints = [now]
        var isSettled = false
        if form.isMoving {
            prints = form.prints + [NamedPrints(NamedValues(saved.currentSession, of: app, in: accounts))]
            if !now.lie(among: prints) {
                // Another program wrote last, and what it wrote is in use.
                saved.take(found)
            }
            prints.append(now)
        } else if form.prints == [NamedPrints(valid)] {
            if let current = saved.current, let found { saved[current]?.take(found, in: accounts) }
            isSettled = true
        } else {
            if let current = saved.current { saved.forget(current) }
            saved.take(found)
        }
        return State(
            companion: companion, items: items, saved: saved, prints: prints, isSettled: isSettled, isWhole: isWhole)
    }

    /// - Returns: Nil if it is another client's.
    private func form(_ companion: Keychain.Item) throws(StoreProblem) -> CompanionForm? {
        let form: CompanionForm
        do throws(StoredFormProblem) { form = try CompanionForm(companion.value) } catch .newerVersion {
            throw .newerVersion
        } catch {
            throw .damaged(setAside: try setAside(Self.companion, companion))
        }
        guard form.contract.utf8.elementsEqual(app.contract.utf8), form.baseURL == app.baseURL.text else { return nil }
        return form
    }

    /// The session that the named items make by themselves.
    private func found(_ items: [KeychainRules.Item: Keychain.Item]) throws(StoreProblem) -> FoundSession? {
        do throws(FoundSession.Unreadable) {
            return try FoundSession(items.mapValues(\.value), of: app)
        } catch {
            guard let account = accounts[error.item], let item = items[error.item] else { throw .busy }
            throw .damaged(setAside: try setAside(account, item))
        }
    }

    private func setAside(_ account: String, _ item: Keychain.Item) throws(StoreProblem) -> String {
        guard let name = try keychain.setAside(account, over: item) else { throw .busy }
        return name
    }
}
#endif
