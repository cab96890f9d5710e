#if canImport(Security)
import OstiaryContracts

extension NamedItems {
    /// - Returns: False if another process was faster, and nothing is written.
    func write(_ saved: SavedSessions, over state: State) throws(StoreProblem) -> Bool {
        let values = NamedValues(saved.currentSession, of: app, in: accounts)
        let fits = values.fit(state.items)
        let isSame = saved.document == state.saved.document
        if isSame, state.companion == nil || (state.isSettled && fits) { return true }
        // Where another is at it still, all is written once more, so that nothing it has read can be written over.
        if fits, state.companion == nil || state.isSettled {
            guard !saved.isEmpty else { return try removeCompanion(state.companion) }
            let form = CompanionForm(saved, of: app, withoutTokensIn: accounts, NamedPrints(values))
            return try writeCompanion(form, over: state.companion) != nil
        }
        guard
            let moving = try writeCompanion(
                CompanionForm(moving: saved, of: app, from: state.prints), over: state.companion)
        else { return false }
        guard try settle(values, as: moving, touching: !state.isSettled) else { return true }
        // Without it, what another adds too late would be taken for an app's that knows nothing of companions.
        if saved.isEmpty, state.isSettled {
            _ = try removeCompanion(moving)
        } else {
            let after = CompanionForm(saved, of: app, withoutTokensIn: accounts, NamedPrints(values))
            _ = try writeCompanion(after, over: moving)
        }
        return true
    }

    private func removeCompanion(_ item: Keychain.Item?) throws(StoreProblem) -> Bool {
        guard let item else { return true }
        return try keychain.remove(Self.companion, over: item)
    }

    private func writeCompanion(
        _ form: CompanionForm, over item: Keychain.Item?
    ) throws(StoreProblem) -> Keychain.Item? {
        let bytes = form.bytes
        guard let generation = try keychain.write(bytes, to: Self.companion, over: item) else { return nil }
        return Keychain.Item(value: bytes, generation: generation, isProtected: true)
    }

    /// Has the named items follow the companion.
    ///
    /// - Returns: False if another process has written the companion since, and sees to the items itself.
    private func settle(_ values: NamedValues, as companion: Keychain.Item, touching: Bool) throws(StoreProblem) -> Bool
    {
        for (name, account) in accounts {
            var attempts = 0
            while true {
                attempts += 1
                guard attempts <= Self.mostAttempts else { throw .busy }
                let item = try keychain.item(account)
                // In this order: what is read after it may be a successor's, what was read before it finds no such item.
                guard try keychain.item(Self.companion)?.generation == companion.generation else { return false }
                if values.fit(item, as: name), !touching || item == nil { break }
                let isDone: Bool
                if let value = values[name] {
                    let generation = try keychain.write(value, to: account, over: item)
                    isDone = generation != nil
                    // What was not there could not be named: it may be there again for one who took it away meanwhile.
                    if item == nil, let generation,
                        try keychain.item(Self.companion)?.generation != companion.generation
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
