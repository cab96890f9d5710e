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

    /// Removes a message that was sent, or whose delivery is given up, and counts its result in the same commit.
    ///
    /// - Parameter result: `nil` for a message that is not counted.
    func remove(_ id: String, counting result: MessageResult?) async throws

    /// Returns a message to the queue after a failure, due at `until`.
    func postpone(_ id: String, until: Date) async throws

    /// Returns the number of waiting messages.
    func count() async throws -> Int
}

extension DeliveryQueue {
    /// Removes a message that is not counted.
    public func remove(_ id: String) async throws { try await remove(id, counting: nil) }
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
