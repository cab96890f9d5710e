#if canImport(Security)
import OstiaryContracts

extension NamedItems {
    /// Writes the sessions: the index item first, then the named items.
    ///
    /// - Returns: `false` if another process has written in the meantime, and nothing was written here.
    func write(_ saved: SavedSessions, over state: State) throws(StoreProblem) -> Bool {
        let values = NamedValues(saved.currentSession, of: app, in: accounts)
        let fits = values.fit(state.items)
        let isSame = saved.document == state.saved.document
        if isSame, state.index == nil || (state.isSettled && fits) { return true }
        // If another process's change is still in progress, everything is written again with new generations, so that
        // its pending writes over the items it has read fail.
        if fits, state.index == nil || state.isSettled {
            guard !saved.isEmpty else { return try removeIndex(state.index) }
            let form = KeychainIndex(saved, of: app, withoutTokensIn: accounts, NamedFingerprints(values))
            return try writeIndex(form, over: state.index) != nil
        }
        guard
            let moving = try writeIndex(
                KeychainIndex(moving: saved, of: app, from: state.fingerprints), over: state.index)
        else { return false }
        guard try settle(values, as: moving, touching: !state.isSettled) else { return true }
        // The index item stays if another change was in progress: without it, an item that the other process adds late
        // would be taken for one of an app without this SDK.
        if saved.isEmpty, state.isSettled {
            _ = try removeIndex(moving)
        } else {
            let after = KeychainIndex(saved, of: app, withoutTokensIn: accounts, NamedFingerprints(values))
            _ = try writeIndex(after, over: moving)
        }
        return true
    }

    /// Removes the index item, or empties it beside a damaged one: other stores do not take its absence for a sign-out.
    private func removeIndex(_ item: Keychain.Item?) throws(StoreProblem) -> Bool {
        guard let item else { return true }
        guard try isIndexSetAside() else {
            let isRemoved = try keychain.remove(Self.index, over: item)
            if isRemoved { presence.isKnown = false }
            return isRemoved
        }
        let values = NamedValues(nil, of: app, in: accounts)
        let form = KeychainIndex(.none, of: app, withoutTokensIn: accounts, NamedFingerprints(values))
        return try writeIndex(form, over: item) != nil
    }

    private func writeIndex(
        _ form: KeychainIndex, over item: Keychain.Item?
    ) throws(StoreProblem) -> Keychain.Item? {
        let bytes = form.bytes
        guard let generation = try keychain.write(bytes, to: Self.index, over: item) else { return nil }
        presence.isKnown = true
        return Keychain.Item(value: bytes, generation: generation, isProtected: true)
    }

    /// Makes the named items match the index item.
    ///
    /// - Returns: `false` if another process has written the index item since, and is responsible for the items.
    private func settle(_ values: NamedValues, as index: Keychain.Item, touching: Bool) throws(StoreProblem) -> Bool {
        for (name, account) in accounts {
            var attempts = 0
            while true {
                attempts += 1
                guard attempts <= Self.mostAttempts else { throw .busy }
                let item = try keychain.item(account)
                // The order matters: an item read after the index item could be a successor's. An item read before
                // it has an outdated generation once a successor has written, so that the write over it fails.
                guard try keychain.item(Self.index)?.generation == index.generation else { return false }
                if values.fit(item, as: name), !touching || item == nil { break }
                let isDone: Bool
                if let value = values[name] {
                    let generation = try keychain.write(value, to: account, over: item)
                    isDone = generation != nil
                    // An added item has no former generation to compare: another process may have removed the item in
                    // the meantime, and this write would restore it.
                    if item == nil, let generation,
                        try keychain.item(Self.index)?.generation != index.generation
                    {
                        let mine = Keychain.Item(value: value, generation: generation, isProtected: true)
                        _ = try keychain.remove(account, over: mine)
                        return false
                    }
                } else if let item {
                    isDone = try keychain.remove(account, over: item)
                } else {
                    isDone = true
                }
                if isDone { break }
            }
        }
        return true
    }
}
#endif
