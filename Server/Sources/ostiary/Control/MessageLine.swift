import Foundation
import OstiaryEngine

/// A message as commands show it, without its text.
struct MessageLine: Codable, Sendable {
    var id: String
    var app: String
    var channel: String?
    var kind: String?
    /// Masked.
    var recipient: String?
    var state: String
    var attempts: Int
    var lastError: String?
    var createdAt: Date
    var nextAttemptAt: Date?
    var sentAt: Date?

    init(_ message: Message) {
        id = message.id
        app = message.app.text
        channel = message.channel?.rawValue
        kind = message.kind
        recipient = message.recipient
        state = message.state.rawValue
        attempts = message.attempts
        lastError = message.lastError
        createdAt = message.createdAt
        nextAttemptAt = message.nextAttemptAt
        sentAt = message.sentAt
    }

    private enum CodingKeys: String, CodingKey {
        case id, app, channel, kind, state, attempts
        case recipient = "to"
        case lastError = "last_error"
        case createdAt = "created_at"
        case nextAttemptAt = "next_attempt_at"
        case sentAt = "sent_at"
    }
}
