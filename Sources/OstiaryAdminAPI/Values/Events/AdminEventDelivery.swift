public import Foundation

/// The delivery of an event to an endpoint.
public struct AdminEventDelivery: AdminValue {
    /// The identifier.
    public var id: String = ""
    /// The identifier of the endpoint.
    public var endpointID: String = ""
    /// The identifier of the event, which the receiver gets as `webhook-id`.
    public var eventID: String = ""
    /// The type of the event.
    public var type: String = ""
    /// The name of the app.
    public var app: String = ""
    /// The identifier of the account.
    public var account: String?
    /// The state.
    public var state: AdminEventDeliveryState = .pending
    /// The attempts, the oldest first.
    public var attempts: [AdminEventAttempt] = []
    /// The time of the event.
    public var createdAt: Date = Date(timeIntervalSince1970: 0)
    /// The time of the next attempt.
    public var nextAttemptAt: Date?
    /// The time of the delivery.
    public var deliveredAt: Date?

    /// The name of the value's schema.
    public static let schemaName = "EventDelivery"
    /// The members of the JSON object.
    public static let members: [AdminMember<AdminEventDelivery>] = [
        .required("id", \.id, .text()),
        .required("endpoint_id", \.endpointID, .id),
        .required("event_id", \.eventID, .text()),
        .required("type", \.type, .text()),
        .required("app", \.app, .app),
        .nullable("account", \.account, .text()),
        .required("state", \.state, .name),
        .required("attempts", \.attempts, .list(.object)),
        .required("created_at", \.createdAt, .time),
        .nullable("next_attempt_at", \.nextAttemptAt, .time),
        .nullable("delivered_at", \.deliveredAt, .time),
    ]
    /// Creates a value without content, whose properties are set afterwards.
    public init() {}
}
