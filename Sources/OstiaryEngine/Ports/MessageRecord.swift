public import Foundation

/// The channel of a message. The raw value is kept in the store and appears on the wire.
public enum MessageChannel: String, CaseIterable, Hashable, Sendable {
    /// An email.
    case email
    /// A text message.
    case sms
}

/// The description of a message without its text.
public struct MessageDescription: Hashable, Sendable {
    /// The channel.
    public var channel: MessageChannel
    /// The kind of content, such as `password_reset`.
    public var kind: String
    /// The address or number, masked.
    public var recipient: String
    /// The keyed hash of the address or number, see ``KeyRing/messageRecipient(_:app:)``.
    public var recipientHash: [UInt8]

    /// Creates a description from its parts.
    public init(channel: MessageChannel, kind: String, recipient: String, recipientHash: [UInt8]) {
        self.channel = channel
        self.kind = kind
        self.recipient = recipient
        self.recipientHash = recipientHash
    }
}

/// A message that was sent or given up. It has left the queue.
public struct MessageRecord: Hashable, Sendable {
    /// The message's id.
    public var id: String
    /// The app that the message was sent for.
    public var app: AppName
    /// The description; `nil` for a message that could not be decrypted.
    public var description: MessageDescription?
    /// The outcome.
    public var outcome: MessageOutcome
    /// The number of attempts to deliver it.
    public var attempts: Int
    /// The reason of the last failure; `nil` if there was none.
    public var lastError: String?
    /// The time at which the message was queued.
    public var createdAt: Date
    /// The time at which it was sent or given up.
    public var settledAt: Date
    /// The time from which it is of no use to its recipient.
    public var usefulUntil: Date
    /// The sealed content of a message that was given up, until it is of no use; `nil` in lists.
    public var sealed: [UInt8]?

    /// The time for which a record is kept after the message was queued, in seconds.
    public static let retentionSeconds = 30 * 86_400

    /// Creates a record from its parts.
    public init(
        id: String, app: AppName, description: MessageDescription?, outcome: MessageOutcome, attempts: Int,
        lastError: String? = nil, createdAt: Date, settledAt: Date, usefulUntil: Date, sealed: [UInt8]? = nil
    ) {
        self.id = id
        self.app = app
        self.description = description
        self.outcome = outcome
        self.attempts = attempts
        self.lastError = lastError
        self.createdAt = createdAt
        self.settledAt = settledAt
        self.usefulUntil = usefulUntil
        self.sealed = sealed
    }

    /// The position of the record in a list.
    public var position: MessagePosition { MessagePosition(createdAt: createdAt, id: id) }

    /// The result that is counted.
    public var result: MessageResult {
        MessageResult(channel: description?.channel.rawValue ?? "unknown", outcome: outcome, at: settledAt)
    }
}

/// A message in the queue, with the state of its delivery.
public struct WaitingMessage: Hashable, Sendable {
    /// The sealed message.
    public var message: QueuedMessage
    /// The time of the next attempt; for a message that is being delivered, the end of its claim.
    public var dueAt: Date
    /// The reason of the last failure; `nil` if there was none.
    public var lastError: String?

    /// Creates a message from its parts.
    public init(message: QueuedMessage, dueAt: Date, lastError: String? = nil) {
        self.message = message
        self.dueAt = dueAt
        self.lastError = lastError
    }

    /// The position of the message in a list.
    public var position: MessagePosition { MessagePosition(createdAt: message.createdAt, id: message.id) }
}

/// The position of a message among all messages in the order in which they were queued.
public struct MessagePosition: Hashable, Sendable, Comparable {
    /// The time at which the message was queued.
    public var createdAt: Date
    /// The message's id.
    public var id: String

    /// Creates a position from its parts.
    public init(createdAt: Date, id: String) {
        self.createdAt = createdAt
        self.id = id
    }

    /// Orders positions by time, then by id.
    public static func < (left: MessagePosition, right: MessagePosition) -> Bool {
        guard left.createdAt == right.createdAt else { return left.createdAt < right.createdAt }
        return left.id.utf8.lexicographicallyPrecedes(right.id.utf8)
    }
}
