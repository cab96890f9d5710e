public import Foundation

/// Keeps messages until they are sent. Their content is sealed: a code in the queue is as sensitive as the code itself.
public protocol OutboxStore: Sendable {
    /// Counts the message against every bucket and keeps it and its secret, in one commit, or none of it if a bucket
    /// refuses.
    ///
    /// - Returns: `nil` if it is kept; otherwise the refusal of the bucket with the longest wait.
    func enqueue(
        _ message: QueuedMessage, within buckets: [AttemptBucket], keeping secret: PendingSecret?, at now: Date
    ) async throws -> AttemptRefusal?
}

/// The queue of messages that wait for delivery.
public protocol DeliveryQueue: Sendable {
    /// Returns messages that are due, the oldest first, at most `limit`. Each is claimed until `claimedUntil`: no other
    /// worker gets it before.
    func claim(at now: Date, until claimedUntil: Date, limit: Int) async throws -> [QueuedMessage]

    /// Removes a message from the queue, keeps its record and counts its result, in one transaction; does none of it if the
    /// message is not in the queue.
    func settle(_ record: MessageRecord) async throws

    /// Removes a message of which nothing is kept.
    func remove(_ id: String) async throws

    /// Returns a message to the queue, due at `until`.
    ///
    /// - Parameter error: The reason of a failure; `nil` if there was none, which keeps the reason of an earlier one.
    func postpone(_ id: String, until: Date, error: String?) async throws

    /// Returns the number of waiting messages.
    func count() async throws -> Int
}

extension DeliveryQueue {
    /// Returns a message to the queue without a failure, due at `until`.
    public func postpone(_ id: String, until: Date) async throws { try await postpone(id, until: until, error: nil) }
}

/// A sealed message in the queue.
public struct QueuedMessage: Hashable, Sendable {
    /// The message's id.
    public var id: String
    /// The app that the message is sent for.
    public var app: AppName
    /// The time at which the message was queued.
    public var createdAt: Date
    /// The number of times it was claimed, this time included.
    public var attempts: Int
    /// The encrypted content and recipient.
    public var sealed: [UInt8]

    /// Creates a message from its parts.
    public init(id: String, app: AppName, createdAt: Date, attempts: Int = 0, sealed: [UInt8]) {
        self.id = id
        self.app = app
        self.createdAt = createdAt
        self.attempts = attempts
        self.sealed = sealed
    }
}
