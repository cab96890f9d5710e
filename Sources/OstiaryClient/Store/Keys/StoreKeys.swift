import Synchronization

/// The keys of one store, each fetched once: locking the desktop later does not affect a running program.
final class StoreKeys: Sendable {
    private let sources: SealingKeySources
    private let known = Mutex<[SealingKeyReference: SealingKey]>([:])

    init(_ sources: SealingKeySources) { self.sources = sources }

    /// Returns the key that sealed a file.
    ///
    /// - Throws: The problem; a different key is never returned, and the file can be opened again once the right key is
    ///   back.
    func key(of mark: SealingKeyReference) async throws(StoreProblem) -> SealingKey {
        if let key = known.withLock({ $0[mark] }) { return key }
        guard let source = sources[mark.source], let key = try await source.key() else {
            throw .sealingKey(.missing, source: mark.source)
        }
        guard key.id == mark.id else { throw .sealingKey(.different, source: mark.source) }
        remember(key, from: source)
        return key
    }

    /// Returns the key for the next write, and its source's name.
    ///
    /// - Parameter mark: The mark of the key that sealed the existing file; `nil` if there is none.
    func keyForWriting(over mark: SealingKeyReference?) async throws(StoreProblem) -> (key: SealingKey, source: String)
    {
        if let chosen = sources.chosen { return (try await keyOrNew(chosen), chosen.name) }
        if let mark { return (try await key(of: mark), mark.source) }
        var problem = StoreProblem.sealingKey(.missing, source: "")
        for source in sources.others {
            do { return (try await keyOrNew(source), source.name) } catch { problem = error }
        }
        throw problem
    }

    private func keyOrNew(_ source: any SealingKeySource) async throws(StoreProblem) -> SealingKey {
        let key = if let key = try await source.key() { key } else { try await source.makeKey() }
        remember(key, from: source)
        return key
    }

    private func remember(_ key: SealingKey, from source: any SealingKeySource) {
        known.withLock { $0[SealingKeyReference(source: source.name, id: key.id)] = key }
    }
}
