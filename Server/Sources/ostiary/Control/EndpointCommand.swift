import Foundation
import OstiaryCore
import OstiaryEngine

/// A command about endpoints for events, and the deliveries to them.
enum EndpointCommand: Codable, Sendable {
    case list
    case create(EndpointDraft)
    case setEnabled(Bool, String)
    case delete(String)
    case rotateSecret(String)
    case test(String)
    case deliveries(of: String?, failedOnly: Bool, before: Int?)
    case redeliver(Int)
}

/// The fields of an endpoint to be created.
struct EndpointDraft: Codable, Sendable {
    var url: String
    var types: [String]
    var include: [String]
    var description: String?
    var contact: String?
}

/// An endpoint as commands show it.
struct EndpointRecord: Codable, Sendable {
    var id: String
    var app: String
    var url: String
    var types: [String]
    var include: [String]
    var description: String?
    var contact: String?
    var state: String
    var createdAt: Date
    var lastSuccessAt: Date?
    var failingSince: Date?
    /// The secret, after its creation and its rotation alone.
    var secret: String?

    init(_ endpoint: EventEndpoint, secret: Secret<String>? = nil) {
        id = endpoint.id.text
        app = endpoint.app.text
        url = endpoint.url
        types = endpoint.types.map(\.rawValue)
        include = endpoint.include.map(\.rawValue)
        description = endpoint.description
        contact = endpoint.contact?.text
        state = endpoint.state.rawValue
        createdAt = endpoint.createdAt
        lastSuccessAt = endpoint.lastSuccessAt
        failingSince = endpoint.failingSince
        self.secret = secret?.reveal()
    }

    private enum CodingKeys: String, CodingKey {
        case id, app, url, types, include, description, contact, state, secret
        case createdAt = "created_at"
        case lastSuccessAt = "last_success_at"
        case failingSince = "failing_since"
    }
}

/// A delivery as commands show it.
struct DeliveryRecord: Codable, Sendable {
    var id: String
    var endpoint: String
    var event: String
    var type: String
    var app: String
    var account: String?
    var state: String
    var attempts: [Attempt]
    var createdAt: Date
    var nextAttemptAt: Date?
    var deliveredAt: Date?

    struct Attempt: Codable, Sendable {
        var at: Date
        var status: Int?
        var error: String?
        var durationMilliseconds: Int

        private enum CodingKeys: String, CodingKey {
            case at, status, error
            case durationMilliseconds = "duration_ms"
        }
    }

    init(_ delivery: EventDelivery) {
        id = String(delivery.id)
        endpoint = delivery.endpoint.text
        event = delivery.eventID
        type = delivery.type
        app = delivery.app.text
        account = delivery.account?.text
        state = delivery.state.rawValue
        attempts = delivery.attempts.map {
            Attempt(at: $0.at, status: $0.status, error: $0.error, durationMilliseconds: $0.durationMilliseconds)
        }
        createdAt = delivery.createdAt
        nextAttemptAt = delivery.nextAttemptAt
        deliveredAt = delivery.deliveredAt
    }

    private enum CodingKeys: String, CodingKey {
        case id, type, app, account, state, attempts
        case endpoint = "endpoint_id"
        case event = "event_id"
        case createdAt = "created_at"
        case nextAttemptAt = "next_attempt_at"
        case deliveredAt = "delivered_at"
    }
}
