import Foundation
import OstiaryCore
import OstiaryEngine

extension ColumnReader {
    /// The columns that ``waitingMessage()`` reads.
    static var waitingMessageColumns: String { "id, app, created_at, attempts, sealed, due_at, last_error" }

    mutating func waitingMessage() throws -> WaitingMessage {
        let message = QueuedMessage(
            id: try text(), app: try value(AppName.init), createdAt: try date(), attempts: Int(try integer()),
            sealed: try bytes())
        return WaitingMessage(message: message, dueAt: try date(), lastError: try optionalText())
    }

    /// The columns that ``messageRecord()`` reads, without the content.
    static var messageRecordColumns: String {
        """
        id, app, channel, kind, recipient, recipient_hash, outcome, attempts, last_error, created_at, settled_at, \
        useful_until
        """
    }

    mutating func messageRecord() throws -> MessageRecord {
        let (id, app) = (try text(), try value(AppName.init))
        let channel = try optionalText().flatMap(MessageChannel.init)
        let (kind, recipient, hash) = (try optionalText(), try optionalText(), try optionalBytes())
        var description: MessageDescription?
        if let channel, let kind, let recipient, let hash {
            description = MessageDescription(channel: channel, kind: kind, recipient: recipient, recipientHash: hash)
        }
        let outcome = try value { text in
            guard let outcome = MessageOutcome(rawValue: text) else { throw FieldProblem.malformed }
            return outcome
        }
        return MessageRecord(
            id: id, app: app, description: description, outcome: outcome, attempts: Int(try integer()),
            lastError: try optionalText(), createdAt: try date(), settledAt: try date(), usefulUntil: try date())
    }
}
