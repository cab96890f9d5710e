public import Foundation

/// The messages of the queue and those that have left it, for administration.
public protocol MessageStore: Sendable {
    /// Returns waiting messages of some apps, the newest first, beginning after `position`.
    func waitingMessages(in apps: [AppName], after position: MessagePosition?, limit: Int) async throws
        -> [WaitingMessage]

    /// Returns the waiting message with an id; `nil` if there is none.
    func waitingMessage(_ id: String) async throws -> WaitingMessage?

    /// Returns settled messages of some apps, the newest first, beginning after `position`. They have no content.
    ///
    /// - Parameter outcome: The outcome; `nil` for any.
    func messageRecords(
        in apps: [AppName], outcome: MessageOutcome?, after position: MessagePosition?, limit: Int
    ) async throws -> [MessageRecord]

    /// Returns settled messages of an app that were sent to one of the recipients, the newest first, beginning after `position`.
    /// They have no content.
    func messageRecords(
        to recipients: [[UInt8]], in app: AppName, after position: MessagePosition?, limit: Int
    ) async throws -> [MessageRecord]

    /// Returns the settled message with an id, with its content if that is kept; `nil` if there is none.
    func messageRecord(_ id: String) async throws -> MessageRecord?

    /// Returns a message that was given up to the queue, due at `now`, if its content is still of use.
    func requeue(_ id: String, at now: Date) async throws -> MessageRequeue
}

/// The outcome of returning a message to the queue.
public enum MessageRequeue: Hashable, Sendable {
    /// The message is in the queue.
    case queued
    /// There is no message of that id that was given up.
    case notFailed
    /// The content is of no use any more.
    case expired
}
