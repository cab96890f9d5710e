public import Foundation

extension MemoryStore {
    public func enqueue(
        _ message: QueuedMessage, within buckets: [AttemptBucket], keeping secret: PendingSecret?, at now: Date
    ) throws -> AttemptRefusal? {
        try transaction { tables throws in
            let verdict = tables.verdict(on: buckets, at: now)
            if let refusal = verdict.refusal { return refusal }
            if let secret { try tables.checkNew(secret) }
            try tables.checkNew(message)
            tables.note(verdict.records)
            if let secret { tables.keep(secret) }
            tables.enqueue(message)
            return nil
        }
    }

    public func claim(at now: Date, until claimedUntil: Date, limit: Int) -> [QueuedMessage] {
        transaction { tables in
            let due = tables.messages.values.filter { $0.dueAt <= now.asStored }
                .sorted { ($0.message.createdAt, $0.number) < ($1.message.createdAt, $1.number) }
            return due.prefix(max(0, limit)).map { row in
                var row = row
                row.message.attempts += 1
                row.dueAt = claimedUntil.asStored
                tables.messages[row.message.id] = row
                return row.message
            }
        }
    }

    public func remove(_ id: String) { transaction { $0.messages[id] = nil } }

    public func postpone(_ id: String, until: Date) { transaction { $0.messages[id]?.dueAt = until.asStored } }

    public func count() -> Int { transaction { $0.messages.count } }

    /// The messages that wait, in the order in which they were queued.
    package var queuedMessages: [QueuedMessage] {
        transaction { tables in tables.messages.values.sorted { $0.number < $1.number }.map(\.message) }
    }
}

extension MemoryTables {
    /// - Throws: ``MemoryStore/DuplicateKey`` if there is a message of that id.
    func checkNew(_ message: QueuedMessage) throws(MemoryStore.DuplicateKey) {
        guard messages[message.id] == nil else { throw MemoryStore.DuplicateKey() }
    }

    /// Queues a message that was checked in the same transaction.
    mutating func enqueue(_ message: QueuedMessage) {
        var message = message
        message.createdAt = message.createdAt.asStored
        messages[message.id] = MessageRow(message: message, number: nextNumber(), dueAt: message.createdAt)
    }
}
