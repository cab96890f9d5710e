public import Foundation

/// A message of an app, as the administration shows it: without its text.
public struct Message: Hashable, Sendable {
    /// The message's id.
    public var id: String
    /// The app that it is sent for.
    public var app: AppName
    /// The channel; `nil` for a message that cannot be decrypted.
    public var channel: MessageChannel?
    /// The kind of content, such as `password_reset`; `nil` for a message that cannot be decrypted.
    public var kind: String?
    /// The address or number, masked; `nil` for a message that cannot be decrypted.
    public var recipient: String?
    /// The state of the delivery.
    public var state: State
    /// The number of attempts to deliver it.
    public var attempts: Int
    /// The reason of the last failure; `nil` if there was none.
    public var lastError: String?
    /// The time at which it was queued.
    public var createdAt: Date
    /// The time of the next attempt; `nil` unless it is queued.
    public var nextAttemptAt: Date?
    /// The time at which it was sent; `nil` unless it was.
    public var sentAt: Date?

    /// The state of a message. The raw value is the name on the wire.
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// The message waits for its first or its next attempt.
        case queued
        /// The next system has accepted the message.
        case sent
        /// The delivery was given up.
        case failed

        /// The outcome of a message in this state; `nil` for one that waits.
        var outcome: MessageOutcome? {
            switch self {
            case .queued: nil
            case .sent: .sent
            case .failed: .failed
            }
        }
    }

    init(_ record: MessageRecord) {
        id = record.id
        app = record.app
        channel = record.description?.channel
        kind = record.description?.kind
        recipient = record.description?.recipient
        state = record.outcome == .sent ? .sent : .failed
        attempts = record.attempts
        lastError = record.lastError
        createdAt = record.createdAt
        sentAt = record.outcome == .sent ? record.settledAt : nil
    }

    init(_ waiting: WaitingMessage, _ description: MessageDescription?) {
        id = waiting.message.id
        app = waiting.message.app
        channel = description?.channel
        kind = description?.kind
        recipient = description?.recipient
        state = .queued
        attempts = waiting.message.attempts
        lastError = waiting.lastError
        createdAt = waiting.message.createdAt
        nextAttemptAt = waiting.dueAt
    }
}
