public import Foundation

extension MemoryStore {
    /// Adds a key with a new id.
    ///
    /// - Throws: ``DuplicateKey`` if there is a key with that id.
    public func add(_ key: ServiceKey) throws {
        try transaction { tables throws in
            guard !tables.serviceKeys.contains(where: { $0.key.id == key.id }) else { throw DuplicateKey() }
            var key = key
            key.createdAt = key.createdAt.asStored
            key.expiresAt = key.expiresAt?.asStored
            tables.serviceKeys.append((tables.nextNumber(), key))
        }
    }

    /// Returns the key with an id, even if it is revoked or has expired; `nil` if there is none.
    public func serviceKey(_ id: ServiceKeyID) -> ServiceKey? {
        transaction { tables in tables.serviceKeys.first { $0.key.id == id }?.key }
    }

    /// Returns at most `limit` keys in order of creation, beginning after `position`.
    public func serviceKeys(after position: Int?, limit: Int) -> (page: [ServiceKey], position: Int?) {
        transaction { tables in
            let found = tables.serviceKeys.filter { $0.number > position ?? 0 }.prefix(max(0, limit) + 1)
            let page = found.prefix(max(0, limit))
            return (page.map(\.key), found.count > page.count ? page.last?.number : nil)
        }
    }

    /// Revokes a key, and the sessions in which it acts for accounts; a key that was revoked before keeps the time. Returns the key; `nil` if there is none.
    public func revokeServiceKey(_ id: ServiceKeyID, at now: Date) -> ServiceKey? {
        transaction { tables in
            guard let index = tables.serviceKeys.firstIndex(where: { $0.key.id == id }) else { return nil }
            if tables.serviceKeys[index].key.revokedAt == nil {
                tables.serviceKeys[index].key.revokedAt = now.asStored
            }
            tables.endSessions(
                actingFor: AdministrationActor.serviceKey(id.text).text, Revocation(reason: .actorRevoked, at: now))
            return tables.serviceKeys[index].key
        }
    }

    /// Records the use of a key at `now`, unless a later one is recorded.
    public func noteUse(of id: ServiceKeyID, at now: Date) {
        transaction { tables in
            guard let index = tables.serviceKeys.firstIndex(where: { $0.key.id == id }) else { return }
            let last = tables.serviceKeys[index].key.lastUsedAt
            tables.serviceKeys[index].key.lastUsedAt = max(last ?? .distantPast, now.asStored)
        }
    }
}
