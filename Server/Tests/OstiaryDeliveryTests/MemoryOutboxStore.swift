import Foundation
import OstiaryEngine

/// An outbox in memory, which reports each operation and can be made to fail.
actor MemoryOutboxStore: DeliveryQueue {
    enum Event: Hashable {
        case removed(String)
        case settled(String, MessageOutcome)
        case postponed(String, until: Date)
    }

    struct Refused: Error {}

    private(set) var messages: [String: (message: QueuedMessage, due: Date)] = [:]
    private(set) var records: [MessageRecord] = []
    private var refusesClaims = false
    private let events = AsyncStream<Event>.makeStream()
    private let claims = AsyncStream<Void>.makeStream()

    func refuseClaims(_ refuse: Bool) { refusesClaims = refuse }

    func enqueue(_ message: QueuedMessage) {
        messages[message.id] = (message, message.createdAt)
    }

    func claim(at now: Date, until claimedUntil: Date, limit: Int) throws -> [QueuedMessage] {
        defer { claims.continuation.yield() }
        if refusesClaims { throw Refused() }
        let due = messages.values.filter { $0.due <= now }
            .sorted { ($0.message.createdAt, $0.message.id) < ($1.message.createdAt, $1.message.id) }
        return due.prefix(limit).map { entry in
            var message = entry.message
            message.attempts += 1
            messages[message.id] = (message, claimedUntil)
            return message
        }
    }

    func remove(_ id: String) {
        messages[id] = nil
        events.continuation.yield(.removed(id))
    }

    func settle(_ record: MessageRecord) {
        messages[record.id] = nil
        records.append(record)
        events.continuation.yield(.settled(record.id, record.outcome))
    }

    func postpone(_ id: String, until: Date, error: String?) {
        if let message = messages[id]?.message { messages[id] = (message, until) }
        events.continuation.yield(.postponed(id, until: until))
    }

    func count() -> Int { messages.count }

    /// Waits for the next operation on the outbox and returns it.
    nonisolated func nextEvent() async -> Event? {
        for await event in events.stream { return event }
        return nil
    }

    /// Waits for the next claim of messages since the last call, whether it succeeds or fails.
    nonisolated func nextClaim() async {
        for await _ in claims.stream { return }
    }

    /// Waits until the outbox is empty.
    nonisolated func drained() async {
        while await count() > 0, await nextEvent() != nil {}
    }

    var sealed: [[UInt8]] { messages.values.map(\.message.sealed) }
}
