public import Foundation

/// Keeps messages until they are sent. What it keeps is sealed: a code in the queue is as good as the code itself.
public protocol OutboxStore: Sendable {
    /// Counts the message against every bucket and keeps it and its secret, in one commit, or none of it if a bucket
    /// refuses.
    ///
    /// - Returns: Nil if it is kept; else which bucket makes it wait longest.
    func enqueue(
        _ message: QueuedMessage, within buckets: [AttemptBucket], keeping secret: PendingSecret?, at now: Date
    ) async throws -> AttemptRefusal?
}

/// Where messages wait until they are sent.
public protocol DeliveryQueue: Sendable {
    /// Messages whose time has come, the oldest first. Each is claimed until `claimedUntil`: nobody else gets it before.
    func claim(at now: Date, until claimedUntil: Date, limit: Int) async throws -> [QueuedMessage]

    /// Removes a message that was sent, or that is given up.
    func remove(_ id: String) async throws

    /// Puts a message back after a failure.
    func postpone(_ id: String, until: Date) async throws

    /// How many messages wait.
    func count() async throws -> Int
}

public struct QueuedMessage: Hashable, Sendable {
    public var id: String
    public var app: AppName
    public var createdAt: Date
    /// How often it was claimed, this time included.
    public var attempts: Int
    public var sealed: [UInt8]

    public init(id: String, app: AppName, createdAt: Date, attempts: Int = 0, sealed: [UInt8]) {
        self.id = id
        self.app = app
        self.createdAt = createdAt
        self.attempts = attempts
        self.sealed = sealed
    }
}
