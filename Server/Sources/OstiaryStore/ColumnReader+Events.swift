import Foundation
import OstiaryCore
import OstiaryEngine

extension ColumnReader {
    /// The columns that ``eventEndpoint()`` reads, of a table with the alias `e`.
    static var eventEndpointColumns: String {
        """
        e.id, e.app, e.url, e.types, e.include, e.description, e.contact, e.state, e.created_at, e.last_success_at, \
        e.failing_since
        """
    }

    /// The columns that ``eventDelivery()`` reads, of a delivery `d` and its event `v`.
    static var eventDeliveryColumns: String {
        """
        d.number, d.endpoint_id, v.id, v.type, d.app, v.account_id, d.state, d.attempts, d.created_at, d.due_at, \
        d.finished_at
        """
    }

    /// The columns that ``claimedDelivery()`` reads, of a delivery `d`, its event `v` and its endpoint `e`.
    static var claimedDeliveryColumns: String {
        """
        \(eventDeliveryColumns), v.session_id, v.actor, v.snapshot, v.details, v.created_at, \(eventEndpointColumns), \
        e.secret, e.previous_secret, e.previous_expires_at
        """
    }

    mutating func eventEndpoint() throws -> EventEndpoint {
        EventEndpoint(
            id: try value(EventEndpointID.init), app: try value(AppName.init), url: try text(),
            types: EventNames(try text()).values(), include: EventNames(try text()).values(),
            description: try optionalText(), contact: try optionalValue(EmailAddress.init),
            state: try value(read(EventEndpoint.State.self)), createdAt: try date(), lastSuccessAt: try optionalDate(),
            failingSince: try optionalDate())
    }

    mutating func eventDelivery() throws -> EventDelivery {
        var delivery = EventDelivery(
            id: Int(try integer()), endpoint: try value(EventEndpointID.init), eventID: try text(), type: try text(),
            app: try value(AppName.init), account: try optionalValue(AccountID.init),
            state: try value(read(EventDelivery.State.self)), attempts: try json(), createdAt: try date())
        let due = try integer()
        let end = try optionalDate()
        if delivery.state == .pending, due > 0 { delivery.nextAttemptAt = Date(milliseconds: due) }
        if delivery.state == .delivered { delivery.deliveredAt = end }
        return delivery
    }

    mutating func claimedDelivery() throws -> ClaimedDelivery {
        let delivery = try eventDelivery()
        var event = AccountEvent(
            id: delivery.eventID, type: delivery.type, app: delivery.app, account: delivery.account,
            session: try optionalValue(SessionID.init), actor: try optionalText(), at: delivery.createdAt,
            snapshot: try json(), details: try json())
        event.at = try date()
        return ClaimedDelivery(
            delivery: delivery, event: event, endpoint: try eventEndpoint(),
            secrets: EventEndpointSecrets(
                current: try bytes(), previous: try optionalBytes(), previousExpiresAt: try optionalDate()))
    }

    private mutating func json<Value: Decodable>() throws -> Value {
        try value { try JSONDecoder().decode(Value.self, from: Data($0.utf8)) }
    }

    private func read<Value: RawRepresentable<String>>(_ type: Value.Type) -> (String) throws -> Value {
        { [mismatch] text in
            guard let value = Value(rawValue: text) else { throw mismatch }
            return value
        }
    }
}

/// Names in one column, each between spaces, so that a trigger finds one by a search for text.
struct EventNames {
    let text: String

    init(_ text: String) { self.text = text }
    init(_ names: [some RawRepresentable<String>]) {
        text = names.isEmpty ? "" : " \(names.map(\.rawValue).joined(separator: " ")) "
    }

    /// Returns the values; names that this program does not know are omitted.
    func values<Value: RawRepresentable<String>>() -> [Value] {
        text.utf8.split(separator: UInt8(ascii: " ")).compactMap { Value(rawValue: String(Substring($0))) }
    }
}

extension [EventDelivery.Attempt] {
    /// The attempts in the format of their column.
    func columnText() throws -> String { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
}
