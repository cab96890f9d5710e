public import Foundation

extension MemoryStore {
    /// Counts the message against every bucket and keeps it and its secret, or none of it if a bucket refuses.
    ///
    /// - Returns: `nil` if it is kept; otherwise the refusal of the bucket with the longest wait.
    /// - Throws: ``DuplicateKey`` if the id of the message or of the secret is in use.
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

    /// Claims at most `limit` messages that are due until `claimedUntil`, the oldest first.
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

    /// Removes a message from the queue.
    public func remove(_ id: String) { transaction { $0.messages[id] = nil } }

    /// Makes a message due at `until`, and keeps the reason of a failure.
    public func postpone(_ id: String, until: Date, error: String?) {
        transaction { tables in
            tables.messages[id]?.dueAt = until.asStored
            if let error { tables.messages[id]?.lastError = error }
        }
    }

    /// Returns the number of waiting messages.
    public func count() -> Int { transaction { $0.messages.count } }

    /// The waiting messages, in the order in which they were queued.
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
