#if canImport(Security)
import OstiaryContracts

/// The items that a contract names, and the index item: one more item for the data that they cannot hold.
///
/// A change is committed by one write of the index item, which temporarily holds the tokens as well. Then the named
/// items follow, and the tokens are removed from the index item. So a process may be killed between any two writes: a
/// reader gets either the state before the first write or the state after the last, never one account's token with
/// another's name.
struct NamedItems: Sendable {
    static let index = "ostiary"
    /// The limit of attempts, more than other processes can write in the meantime. Without a limit, an item that is
    /// hidden but occupies its name would be retried forever.
    static let mostAttempts = 1000

    let accounts: [KeychainRules.Item: String]
    let app: StoredApp
    let keychain: Keychain
    let presence = KnownPresence()

    /// The contents of all these items at one moment.
    struct State: Sendable {
        let index: Keychain.Item?
        let items: [KeychainRules.Item: Keychain.Item]
        let saved: SavedSessions
        /// The fingerprints of the states in which the named items may be until the next change of the index item: the
        /// present one, and those of a change in progress.
        let fingerprints: [NamedFingerprints]
        /// `true` if the named items hold what they should, and the index item no more than it should.
        let isSettled: Bool
        /// `true` if every item was found.
        let isWhole: Bool
        var isAbsent: Bool { index == nil && saved.sessions.isEmpty }
    }

    // MARK: Reading

    /// Reads the index item and the named items as one consistent state.
    ///
    /// - Returns: `nil` if the items belong to another client of this app, for another contract or base URL.
    /// - Throws: ``StoreProblem/damaged(setAside:)`` after renaming an unreadable item, and once if another store has renamed
    ///   the index item; ``StoreProblem/busy`` if other processes keep writing.
    func state() throws(StoreProblem) -> State? {
        for _ in 0..<Self.mostAttempts {
            let before = try keychain.item(Self.index)
            var items: [KeychainRules.Item: Keychain.Item] = [:]
            for (item, account) in accounts { items[item] = try keychain.item(account) }
            // A concurrent write would combine the tokens of one moment with the name of another.
            guard try keychain.item(Self.index)?.generation == before?.generation else { continue }
            return try state(before, items)
        }
        throw .busy
    }

    private func state(
        _ index: Keychain.Item?, _ items: [KeychainRules.Item: Keychain.Item]
    ) throws(StoreProblem) -> State? {
        let now = NamedFingerprints(items)
        let isWhole = index != nil && items.count == accounts.count
        guard let index else {
            if presence.isKnown, try isIndexSetAside() {
                presence.isKnown = false
                throw .damaged(setAside: keychain.place(ofSetAside: Self.index))
            }
            let found = try found(items, beside: nil)
            var saved = SavedSessions(found)
            if found != nil { saved.hasLostSessions = try isIndexSetAside() }
            return State(
                index: nil, items: items, saved: saved, fingerprints: [now], isSettled: found == nil, isWhole: isWhole)
        }
        guard let form = try form(index) else { return nil }
        presence.isKnown = true
        let valid = items.filter { !form.isUnexpected($1, as: $0) }
        let found = try found(valid, beside: (index, form))
        var saved = form.saved
        var fingerprints = [now]
        var isSettled = false
        if form.isMoving {
            fingerprints =
                form.fingerprints + [NamedFingerprints(NamedValues(saved.currentSession, of: app, in: accounts))]
            if !now.isContained(among: fingerprints) {
                // Another program wrote last, and its tokens are in use.
                saved.take(found)
            }
            fingerprints.append(now)
        } else if form.fingerprints == [NamedFingerprints(valid)] {
            if let current = saved.current, let found { saved[current]?.take(found, in: accounts) }
            isSettled = true
        } else {
            if let current = saved.current { saved.forget(current) }
            saved.take(found)
            saved.hasLostSessions = form.saved.hasLostSessions
        }
        return State(
            index: index, items: items, saved: saved, fingerprints: fingerprints, isSettled: isSettled,
            isWhole: isWhole)
    }

    /// Reads the contents of the index item.
    ///
    /// - Returns: `nil` if it belongs to another client.
    private func form(_ index: Keychain.Item) throws(StoreProblem) -> KeychainIndex? {
        let form: KeychainIndex
        do throws(StoredFormProblem) { form = try KeychainIndex(index.value) } catch .newerVersion {
            throw .newerVersion
        } catch {
            throw .damaged(setAside: try setAside(Self.index, index))
        }
        guard form.contract.utf8.elementsEqual(app.contract.utf8), form.baseURL == app.baseURL.text else { return nil }
        return form
    }

    /// Returns the session that the named items form without the index item.
    ///
    /// - Parameter index: The index item, in which the loss is recorded before an unreadable item is renamed.
    private func found(
        _ items: [KeychainRules.Item: Keychain.Item], beside index: (item: Keychain.Item, form: KeychainIndex)?
    ) throws(StoreProblem) -> LegacySession? {
        do throws(LegacySession.Unreadable) {
            return try LegacySession(items.mapValues(\.value), of: app)
        } catch {
            guard let account = accounts[error.item], let item = items[error.item] else { throw .busy }
            // While the index item holds the tokens, none are lost.
            if let index, !index.form.isMoving, !index.form.saved.hasLostSessions {
                let bytes = index.form.withLostSessions.bytes
                guard try keychain.write(bytes, to: Self.index, over: index.item) != nil else { throw .busy }
            }
            throw .damaged(setAside: try setAside(account, item))
        }
    }

    private func setAside(_ account: String, _ item: Keychain.Item) throws(StoreProblem) -> String {
        guard let name = try keychain.setAside(account, over: item) else { throw .busy }
        if account == Self.index { presence.isKnown = false }
        return name
    }

    /// Returns `true` if a damaged index item was set aside.
    func isIndexSetAside() throws(StoreProblem) -> Bool {
        try keychain.item(Keychain.nameSetAside(Self.index)) != nil
    }
}
#endif
