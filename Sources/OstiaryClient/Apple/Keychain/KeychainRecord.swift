#if canImport(Security)
import OstiaryContracts
import OstiaryCore

/// The single item that holds all sessions, sealed if there is a binding.
struct KeychainRecord: Sendable {
    let account: String
    private let app: StoredApp
    private let keychain: Keychain
    let key: KeychainKey?
    private let keys: StoreKeys?
    private let queue: KeychainQueue
    private let presence = KnownPresence()

    /// The contents of the item at one moment.
    struct State: Sendable {
        /// The item; `nil` if there is none.
        let item: Keychain.Item?
        /// The mark of the key that sealed the item; `nil` if it is not sealed.
        let mark: SealingKeyReference?
        let saved: SavedSessions

        static let absent = State(item: nil, mark: nil, saved: .none)
    }

    init(
        of app: StoredApp, in keychain: Keychain, binding: KeychainBinding?, protectedData: ProtectedData,
        queue: KeychainQueue
    ) {
        // A base URL contains no space, so the account name is unique to the contract and base URL.
        account = "ostiary \(app.contract) \(app.baseURL.text)"
        self.app = app
        self.keychain = keychain
        key = binding?.key("\(account) key", in: keychain, protectedData)
        keys = key.map { StoreKeys(SealingKeySources(chosen: $0, others: [])) }
        self.queue = queue
    }

    var isBound: Bool { keys != nil }

    // MARK: Reading

    func state() async throws(StoreProblem) -> State {
        let item = try await queue.run { [keychain, account] () throws(StoreProblem) in try keychain.item(account) }
        guard let item else {
            if presence.isKnown, try await isDamagedSetAside() {
                presence.isKnown = false
                throw .damaged(setAside: keychain.place(ofSetAside: account))
            }
            return .absent
        }
        presence.isKnown = true
        do throws(StoredFormProblem) {
            return State(item: item, mark: nil, saved: try SavedSessions(document: item.value))
        } catch .newerVersion {
            throw .newerVersion
        } catch {
            return try await unsealed(item)
        }
    }

    /// Returns `true` if a damaged item was set aside. One whose key was lost was not damaged, and its sessions have ended.
    func isDamagedSetAside() async throws(StoreProblem) -> Bool {
        let item = try await queue.run { [keychain, account] () throws(StoreProblem) in
            try keychain.item(Keychain.nameSetAside(account))
        }
        guard let item else { return false }
        if case .sealed? = try? StoredForm(item.value, of: app) { return false }
        return true
    }

    private func unsealed(_ item: Keychain.Item) async throws(StoreProblem) -> State {
        guard let form = try? StoredForm(item.value, of: app), case .sealed(let sealed) = form else {
            throw .damaged(setAside: try await setAside(item))
        }
        guard let keys else { throw .sealingKey(.missing, source: sealed.mark.source) }
        self.key?.forget(unlessSealing: sealed.mark)
        let key: SealingKey
        do throws(StoreProblem) {
            key = try await keys.key(of: sealed.mark)
        } catch .sealingKey(.missing, source: KeychainKey.sourceName), .sealingKey(
            .different, source: KeychainKey.sourceName)
        {
            // Lost, as the enrolment that could open it is gone. If it stayed, every start of the app would try to open
            // it again.
            _ = try await setAside(item)
            throw .enrolmentChanged
        }
        do throws(StoredFormProblem) {
            return State(item: item, mark: sealed.mark, saved: try sealed.open(for: app, with: key))
        } catch .newerVersion {
            throw .newerVersion
        } catch {
            throw .damaged(setAside: try await setAside(item))
        }
    }

    private func setAside(_ item: Keychain.Item) async throws(StoreProblem) -> String {
        let name = try await queue.run { [keychain, account] () throws(StoreProblem) in
            try keychain.setAside(account, over: item)
        }
        guard let name else { throw .busy }
        presence.isKnown = false
        return name
    }

    // MARK: Writing

    /// Writes the sessions by compare-and-set, and removes the item and its key if nothing is left to store. Beside a damaged
    /// item the item is emptied instead: other stores do not take its absence for a sign-out.
    ///
    /// - Returns: `false` if another process has changed the item in the meantime.
    func write(_ saved: SavedSessions, over state: State) async throws(StoreProblem) -> Bool {
        if saved.isEmpty {
            guard let item = state.item else { return true }
            let isKept = try await isDamagedSetAside()
            if isKept, item.value == saved.document { return true }
            let isGone = try await queue.run { [keychain, account] () throws(StoreProblem) in
                isKept
                    ? try keychain.write(saved.document, to: account, over: item) != nil
                    : try keychain.remove(account, over: item)
            }
            // The next session gets a key of its own, and there are no more prompts for the former one.
            if isGone {
                presence.isKnown = isKept
                try await key?.remove()
            }
            return isGone
        }
        // Compared by bytes: strings that Swift considers equal may be different tokens.
        let isSame = state.item != nil && (state.mark != nil) == isBound && saved.document == state.saved.document
        if isSame { return true }
        let bytes = try await bytes(of: saved, over: state.mark)
        let isWritten = try await queue.run { [keychain, account] () throws(StoreProblem) in
            try keychain.write(bytes, to: account, over: state.item) != nil
        }
        if isWritten { presence.isKnown = true }
        return isWritten
    }

    private func bytes(of saved: SavedSessions, over mark: SealingKeyReference?) async throws(StoreProblem) -> [UInt8] {
        guard let keys else { return saved.document }
        let key: SealingKey
        let source: String
        if let mark {
            (key, source) = (try await keys.key(of: mark), mark.source)
        } else {
            try await self.key?.forgetUnlessStored()
            (key, source) = try await keys.keyForWriting(over: nil)
        }
        guard let sealed = try? SealedSessions(saved, of: app, with: key, from: source) else {
            throw .sealingKey(.malformed, source: source)
        }
        return sealed.bytes
    }
}
#endif
