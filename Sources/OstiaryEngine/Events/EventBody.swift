import Foundation
import OstiaryCore

/// The JSON of an event: `{"type", "timestamp", "data"}` with ids, a masked identifier, and the fields that the endpoint
/// includes. The same bytes for every attempt, as long as the endpoint includes the same fields.
public struct EventBody: Encodable {
    private let event: AccountEvent
    private let include: Set<EventField>

    /// Creates the body of an event for an endpoint.
    public init(_ event: AccountEvent, for endpoint: EventEndpoint) {
        self.event = event
        include = Set(endpoint.include)
    }

    /// The body as UTF-8.
    public func bytes() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(self))
    }

    private enum Key: String, CodingKey {
        case type, timestamp, data
        case app, account, session, actor, identifier, changed, reason, factor, provider, operation, code
        case email, username, roles, attributes
        case emailVerified = "email_verified"
        case phoneNumber = "phone_number"
        case phoneNumberVerified = "phone_number_verified"
        case fullName = "full_name"
    }

    /// Writes the body. Absent values of fields that every event has are null.
    public func encode(to encoder: any Encoder) throws {
        var body = encoder.container(keyedBy: Key.self)
        try body.encode(event.type, forKey: .type)
        try body.encode(event.at.formatted(Self.time), forKey: .timestamp)
        var data = body.nestedContainer(keyedBy: Key.self, forKey: .data)
        try data.encode(event.app.text, forKey: .app)
        try data.encode(event.account?.text, forKey: .account)
        try data.encodeIfPresent(event.session?.text, forKey: .session)
        try data.encode(event.actor, forKey: .actor)
        try data.encode(event.snapshot.masked, forKey: .identifier)
        try encodeDetails(&data)
        try encodeFields(&data)
    }

    private func encodeDetails(_ data: inout KeyedEncodingContainer<Key>) throws {
        let details = event.details
        try data.encodeIfPresent(details.changed, forKey: .changed)
        try data.encodeIfPresent(details.reason, forKey: .reason)
        try data.encodeIfPresent(details.factor, forKey: .factor)
        try data.encodeIfPresent(details.provider, forKey: .provider)
        try data.encodeIfPresent(details.operation, forKey: .operation)
        try data.encodeIfPresent(details.code, forKey: .code)
    }

    private func encodeFields(_ data: inout KeyedEncodingContainer<Key>) throws {
        guard event.account != nil else { return }
        let account = event.snapshot
        for field in EventField.allCases where include.contains(field) {
            switch field {
            case .email:
                try data.encode(account.email, forKey: .email)
                try data.encode(account.emailVerified ?? false, forKey: .emailVerified)
            case .username: try data.encode(account.username, forKey: .username)
            case .phoneNumber:
                try data.encode(account.phoneNumber, forKey: .phoneNumber)
                try data.encodeIfPresent(account.phoneNumberVerified, forKey: .phoneNumberVerified)
            case .attributes: try data.encode(account.attributes ?? [:], forKey: .attributes)
            case .fullName: try data.encode(account.fullName, forKey: .fullName)
            case .roles: try data.encode(account.roles ?? [], forKey: .roles)
            }
        }
    }

    private static let time = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}

extension EventSnapshot {
    /// The first identifier of the account, masked; `nil` for an account without one.
    var masked: String? {
        if let email, let address = try? EmailAddress(email) { return address.masked }
        if let phoneNumber, let number = try? PhoneNumber(phoneNumber) { return number.masked }
        return username.flatMap { try? Username($0) }?.masked
    }
}
