public import Foundation

extension MemoryStore {
    /// Appends an event to the audit log.
    public func append(_ event: AuditEvent) {
        transaction { tables in
            var event = event
            event.at = event.at.asStored
            tables.events.append((tables.nextNumber(), event))
            if event.isRefusedSignIn { tables.recordRefusal(event, system) }
        }
    }

    /// Returns at most `limit` audit events, and never more than 10,000, in the order in which they were appended.
    public func events(
        in app: AppName?, since: Date?, after position: Int?, limit: Int
    ) -> [(position: Int, event: AuditEvent)] {
        transaction { tables in
            let (start, since) = (position ?? 0, (since ?? .distantPast).asStored)
            let found = tables.events.lazy.filter { position, event in
                position > start && app.map { $0 == event.app } ?? true && event.at >= since
            }
            return Array(found.prefix(max(0, min(limit, 10_000))))
        }
    }

    /// Returns a page of the events that a query selects, in its order, beginning after `position`.
    public func events(
        _ query: AuditQuery, after position: AuditPosition?, limit: Int
    ) -> (page: [RecordedEvent], position: AuditPosition?) {
        let limit = max(1, min(limit, 10_000))
        let isDescending = query.order == .newestFirst
        let selected = transaction { tables -> [RecordedEvent] in
            tables.events.compactMap { number, event in
                query.selects(event) ? RecordedEvent(id: number, event: event) : nil
            }
        }
        let following = selected.filter { event in
            guard let position else { return true }
            return isDescending ? event.position < position : event.position > position
        }
        let found = following.sorted { isDescending ? $0.position > $1.position : $0.position < $1.position }
        return query.page(merging: [Array(found.prefix(limit + 1))], limit: limit)
    }

    /// Returns the keys of an app that have not retired at `now`, the newest first.
    public func signingKeys(of app: AppName, at now: Date) -> [StoredSigningKey] {
        transaction { tables in
            tables.signingKeys.enumerated()
                .filter { $0.element.app == app && !$0.element.isRetired(at: now) }
                .sorted { ($0.element.createdAt, $0.offset) > ($1.element.createdAt, $1.offset) }
                .map(\.element)
        }
    }

    /// Adds a signing key and sets the retirement of older ones; returns `true` if it was added.
    ///
    /// - Throws: ``DuplicateKey`` if the app has a key of that id.
    public func add(
        _ key: StoredSigningKey, retiringOthersAt: Date, onlyIf condition: SigningKeyCondition
    ) throws -> Bool {
        try transaction { tables throws in
            let own = tables.signingKeys.indices.filter { tables.signingKeys[$0].app == key.app }
            let isExcluded = own.contains { index in
                let other = tables.signingKeys[index]
                return switch condition {
                case .always: false
                case .isFirst: !other.isRetired(at: key.createdAt)
                case .followsKey(let start, let end):
                    other.retiresAt == nil && other.createdAt > start.asStored && other.createdAt <= end.asStored
                }
            }
            guard !isExcluded else { return false }
            guard !own.contains(where: { tables.signingKeys[$0].kid.utf8.elementsEqual(key.kid.utf8) }) else {
                throw DuplicateKey()
            }
            for index in own where !tables.signingKeys[index].isRetired(at: retiringOthersAt) {
                tables.signingKeys[index].retiresAt = retiringOthersAt.asStored
            }
            var key = key
            key.createdAt = key.createdAt.asStored
            key.retiresAt = key.retiresAt?.asStored
            tables.signingKeys.append(key)
            return true
        }
    }
}

extension MemoryTables {
    /// Records the event of a refused sign-in, if the account had none within the last minute.
    fileprivate mutating func recordRefusal(_ refusal: AuditEvent, _ system: SystemDependencies) {
        guard let id = refusal.account, let account = apps[refusal.app]?.rows[id]?.account else { return }
        let now = system.now().asStored
        let horizon = now.addingTimeInterval(-Double(EventType.refusalSeconds))
        let isRepeated = eventTables.events.values.contains { event in
            event.type == EventType.signInRefused.rawValue && event.app == refusal.app && event.account == id
                && event.at > horizon
        }
        guard !isRepeated else { return }
        eventTables.record(refusal.refusedSignIn(id: EventTables.newID(system), EventSnapshot(account), at: now))
    }
}

extension StoredSigningKey {
    fileprivate func isRetired(at now: Date) -> Bool { retiresAt.map { $0 <= now.asStored } ?? false }
}
