public import Foundation
public import OstiaryCore

/// An event that is sent to one endpoint, with its attempts.
public struct EventDelivery: Hashable, Sendable {
    /// The delivery's number, which grows with every delivery.
    public var id: Int
    /// The endpoint.
    public var endpoint: EventEndpointID
    /// The id of the event, see ``AccountEvent/id``.
    public var eventID: String
    /// The type of the event.
    public var type: String
    /// The app of the event.
    public var app: AppName
    /// The account of the event; `nil` for ``EventType/test``.
    public var account: AccountID?
    /// The state of the delivery.
    public var state: State
    /// The attempts, the oldest first.
    public var attempts: [Attempt]
    /// The time at which the event was recorded, or the redelivery requested.
    public var createdAt: Date
    /// The time of the next attempt; `nil` if there is none, or the attempt is due.
    public var nextAttemptAt: Date?
    /// The time at which the endpoint accepted the event.
    public var deliveredAt: Date?

    /// The time for which finished deliveries and their events are kept, in seconds.
    public static let retentionSeconds: TimeInterval = 7 * 86_400

    /// The state of a delivery. Kept in the store by raw value.
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// The event waits for its first or next attempt, or for the account's event before it.
        case pending
        /// The endpoint accepted the event.
        case delivered
        /// The event is not sent any more.
        case failed
    }

    /// One request of a delivery. In the databases an element of a JSON array with these names.
    public struct Attempt: Codable, Hashable, Sendable {
        /// The time at which the request began, in milliseconds since 1970.
        var milliseconds: Int64
        /// The status of the answer; `nil` if there was none.
        public var status: Int?
        /// The reason for which there was no answer: a fixed text.
        public var error: String?
        /// The duration of the request.
        public var durationMilliseconds: Int

        private enum CodingKeys: String, CodingKey {
            case milliseconds = "at"
            case durationMilliseconds = "duration_ms"
            case status, error
        }

        /// The time at which the request began.
        public var at: Date { Date(milliseconds: milliseconds) }
        /// `true` if the endpoint accepted the event.
        public var isSuccess: Bool { status.map { (200...299).contains($0) } ?? false }

        /// Creates an attempt from its parts.
        public init(at: Date, status: Int? = nil, error: String? = nil, durationMilliseconds: Int) {
            milliseconds = at.milliseconds
            self.status = status
            self.error = error
            self.durationMilliseconds = durationMilliseconds
        }
    }

    /// Creates a delivery from its parts.
    public init(
        id: Int, endpoint: EventEndpointID, eventID: String, type: String, app: AppName, account: AccountID?,
        state: State, attempts: [Attempt] = [], createdAt: Date, nextAttemptAt: Date? = nil, deliveredAt: Date? = nil
    ) {
        self.id = id
        self.endpoint = endpoint
        self.eventID = eventID
        self.type = type
        self.app = app
        self.account = account
        self.state = state
        self.attempts = attempts
        self.createdAt = createdAt
        self.nextAttemptAt = nextAttemptAt
        self.deliveredAt = deliveredAt
    }
}

/// A restriction of a list of deliveries.
public struct EventDeliveryFilter: Hashable, Sendable {
    /// The apps whose deliveries are listed.
    public var apps: Set<AppName>
    /// The endpoint whose deliveries are listed; `nil` for all.
    public var endpoint: EventEndpointID?
    /// The state of the listed deliveries; `nil` for all.
    public var state: EventDelivery.State?

    /// Creates a filter from its parts.
    public init(
        apps: Set<AppName>, endpoint: EventEndpointID? = nil, state: EventDelivery.State? = nil
    ) {
        self.apps = apps
        self.endpoint = endpoint
        self.state = state
    }
}

/// A delivery that a worker has claimed, with everything that its request needs.
public struct ClaimedDelivery: Hashable, Sendable {
    /// The delivery.
    public var delivery: EventDelivery
    /// The event.
    public var event: AccountEvent
    /// The endpoint.
    public var endpoint: EventEndpoint
    /// The endpoint's secrets.
    public var secrets: EventEndpointSecrets

    /// Creates a claimed delivery from its parts.
    public init(
        delivery: EventDelivery, event: AccountEvent, endpoint: EventEndpoint, secrets: EventEndpointSecrets
    ) {
        self.delivery = delivery
        self.event = event
        self.endpoint = endpoint
        self.secrets = secrets
    }
}

/// The outcome of an attempt for the delivery.
public enum EventAttemptOutcome: Hashable, Sendable {
    /// The endpoint accepted the event.
    case delivered
    /// The event is sent again at that time.
    case retry(at: Date)
    /// The event is not sent any more.
    case failed
}
