public import Foundation

extension MemoryStore {
    /// Removes a message from the queue, keeps its record and counts its result, if it was in the queue.
    public func settle(_ record: MessageRecord) {
        transaction { tables in
            guard tables.messages.removeValue(forKey: record.id) != nil else { return }
            tables.statistics[record.result.key(of: record.app), default: 0] += 1
            var record = record
            record.createdAt = record.createdAt.asStored
            record.settledAt = record.settledAt.asStored
            record.usefulUntil = record.usefulUntil.asStored
            tables.messageRecords[record.id] = record
        }
    }

    /// Returns waiting messages of some apps, the newest first, beginning after `position`.
    public func waitingMessages(
        in apps: [AppName], after position: MessagePosition?, limit: Int
    ) -> [WaitingMessage] {
        transaction { tables in
            let found = tables.messages.values.filter { apps.contains($0.message.app) }.map(\.waiting)
                .filter { row in position.map { row.position < $0 } ?? true }
            return Array(found.sorted { $0.position > $1.position }.prefix(max(0, limit)))
        }
    }

    /// Returns the waiting message with an id; `nil` if there is none.
    public func waitingMessage(_ id: String) -> WaitingMessage? { transaction { $0.messages[id]?.waiting } }

    /// Returns settled messages of some apps without their content, the newest first, beginning after `position`.
    public func messageRecords(
        in apps: [AppName], outcome: MessageOutcome?, after position: MessagePosition?, limit: Int
    ) -> [MessageRecord] {
        records(limit: limit) { record in
            apps.contains(record.app) && outcome.map { $0 == record.outcome } ?? true
                && position.map { record.position < $0 } ?? true
        }
    }

    /// Returns settled messages of an app to one of the recipients without their content, the newest first, beginning after
    /// `position`.
    public func messageRecords(
        to recipients: [[UInt8]], in app: AppName, after position: MessagePosition?, limit: Int
    ) -> [MessageRecord] {
        records(limit: limit) { record in
            record.app == app && record.description.map { recipients.contains($0.recipientHash) } ?? false
                && position.map { record.position < $0 } ?? true
        }
    }

    private func records(limit: Int, where isSelected: (MessageRecord) -> Bool) -> [MessageRecord] {
        transaction { tables in
            let found = tables.messageRecords.values.filter(isSelected).sorted { $0.position > $1.position }
            return found.prefix(max(0, limit)).map { record in
                var record = record
                record.sealed = nil
                return record
            }
        }
    }

    /// Returns the settled message with an id; `nil` if there is none.
    public func messageRecord(_ id: String) -> MessageRecord? { transaction { $0.messageRecords[id] } }

    /// Returns a message that was given up to the queue, due at `now`, if its content is still of use.
    public func requeue(_ id: String, at now: Date) -> MessageRequeue {
        transaction { tables in
            guard let record = tables.messageRecords[id], record.outcome == .failed else { return .notFailed }
            guard let sealed = record.sealed, record.usefulUntil > now.asStored else { return .expired }
            tables.messageRecords[id] = nil
            tables.messages[id] = MessageRow(
                message: QueuedMessage(
                    id: id, app: record.app, createdAt: record.createdAt, attempts: record.attempts, sealed: sealed),
                number: tables.nextNumber(), dueAt: now.asStored, lastError: record.lastError)
            return .queued
        }
    }
}

extension MessageRow {
    fileprivate var waiting: WaitingMessage {
        WaitingMessage(message: message, dueAt: dueAt, lastError: lastError)
    }
}

extension MemoryTables {
    /// Deletes old records, and contents that are of no use any more.
    mutating func sweepMessageRecords(at now: Date) {
        let horizon = now.addingTimeInterval(-Double(MessageRecord.retentionSeconds))
        messageRecords = messageRecords.filter { $0.value.createdAt >= horizon }
        for (id, record) in messageRecords where record.usefulUntil <= now { messageRecords[id]?.sealed = nil }
    }
}
