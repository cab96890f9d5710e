public import Foundation
public import OstiaryContracts
import OstiaryCore

/// An event that the server has delivered, after its signature was verified.
public struct WebhookEvent: Hashable, Sendable {
    /// The identifier of the event, the same in every delivery. A receiver that keeps it recognizes repetitions.
    public var id: String
    /// The type, such as `account.created`.
    public var type: String
    /// The time of the event.
    public var timestamp: Date
    /// The content of the event by name.
    public var data: [String: JSON]

    /// Creates an event from its parts.
    public init(id: String, type: String, timestamp: Date, data: [String: JSON]) {
        self.id = id
        self.type = type
        self.timestamp = timestamp
        self.data = data
    }

    /// The name of the app; nil for an event without one.
    public var app: String? { text("app") }
    /// The identifier of the account; nil for an event without one.
    public var account: String? { text("account") }
    /// The identifier of the session; nil for an event without one.
    public var session: String? { text("session") }
    /// The administrator that caused the event; nil for the owner of the account.
    public var actor: String? { text("actor") }
    /// The masked email address, username or phone number of the account; nil for an event without one.
    public var identifier: String? { text("identifier") }

    private func text(_ name: String) -> String? {
        guard case .string(let text) = data[name] else { return nil }
        return text
    }

    /// Reads the body of a delivery; nil for another form.
    init?(id: String, body: [UInt8]) {
        guard let json = try? JSON.read(body), case .string(let type) = json["type"],
            case .string(let time) = json["timestamp"], let timestamp = RFC3339.date(time),
            case .object(let members) = json["data"]
        else { return nil }
        self.init(
            id: id, type: type, timestamp: timestamp,
            data: Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { _, last in last }))
    }
}
