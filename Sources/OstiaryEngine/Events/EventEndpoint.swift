public import Foundation
public import OstiaryCore

/// A URL of another system that the events of one app are sent to.
public struct EventEndpoint: Hashable, Sendable {
    /// The endpoint's id.
    public var id: EventEndpointID
    /// The app whose events are sent.
    public var app: AppName
    /// The URL that requests are sent to.
    public var url: String
    /// The types of the events that are sent; empty for all.
    public var types: [EventType]
    /// The fields of the account that events include.
    public var include: [EventField]
    /// The administrator's note.
    public var description: String?
    /// The address that is informed when the endpoint is disabled because it fails.
    public var contact: EmailAddress?
    /// The state of the endpoint.
    public var state: State
    /// The time of creation.
    public var createdAt: Date
    /// The time of the last delivery that succeeded, to within ten seconds; `nil` if there was none.
    public var lastSuccessAt: Date?
    /// The time of the first failure since the last success; `nil` if the last delivery succeeded.
    public var failingSince: Date?

    /// The maximum number of endpoints of one app. Every change of an account compares them.
    public static let limitPerApp = 16
    /// The maximum number of pending test events of one endpoint, redeliveries of test events included.
    public static let limitOfPendingTests = 10
    /// The time after which an endpoint that fails is disabled, in seconds.
    public static let failureSeconds: TimeInterval = 5 * 86_400
    /// The interval within which ``lastSuccessAt`` is not updated, in seconds: every delivery would write the row.
    public static let successResolutionSeconds: TimeInterval = 10

    /// The state of an endpoint. Kept in the store by raw value.
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// Events are queued for the endpoint and sent.
        case enabled
        /// No event is queued for the endpoint, and those that are queued fail.
        case disabled
    }

    /// `true` if the last delivery succeeded; `false` if it failed, and if there was none.
    public var isHealthy: Bool { lastSuccessAt != nil && failingSince == nil }

    /// Returns `true` if another endpoint has the same URL, types, included fields, description and contact.
    public func hasSettings(of other: EventEndpoint) -> Bool {
        url == other.url && types == other.types && include == other.include && description == other.description
            && contact == other.contact
    }

    /// Creates an endpoint from its parts.
    public init(
        id: EventEndpointID, app: AppName, url: String, types: [EventType] = [], include: [EventField] = [],
        description: String? = nil, contact: EmailAddress? = nil, state: State = .enabled, createdAt: Date,
        lastSuccessAt: Date? = nil, failingSince: Date? = nil
    ) {
        self.id = id
        self.app = app
        self.url = url
        self.types = types
        self.include = include
        self.description = description
        self.contact = contact
        self.state = state
        self.createdAt = createdAt
        self.lastSuccessAt = lastSuccessAt
        self.failingSince = failingSince
    }

    /// Returns `true` if events of that type of the app are queued for the endpoint.
    func receives(_ type: EventType, of app: AppName) -> Bool {
        self.app == app && state == .enabled && type != .test && (types.isEmpty || types.contains(type))
    }
}

/// The fields of an endpoint to be created, as the administrator writes them.
public struct NewEventEndpoint: Hashable, Sendable {
    /// The app whose events are sent.
    public var app: AppName
    /// The URL that requests are sent to.
    public var url: String
    /// The names of the types; empty for all.
    public var types: [String]
    /// The names of the included fields.
    public var include: [String]
    /// The administrator's note.
    public var description: String?
    /// The address that is informed when the endpoint is disabled.
    public var contact: String?

    /// Creates the fields from their parts.
    public init(
        app: AppName, url: String, types: [String] = [], include: [String] = [], description: String? = nil,
        contact: String? = nil
    ) {
        self.app = app
        self.url = url
        self.types = types
        self.include = include
        self.description = description
        self.contact = contact
    }
}

/// A change of an endpoint, as the administrator writes it; `nil` leaves a field as it is.
public struct EventEndpointUpdate: Hashable, Sendable {
    /// The new URL.
    public var url: String?
    /// The names of the new types; empty for all.
    public var types: [String]?
    /// The names of the fields that are included from now on.
    public var include: [String]?
    /// The new note; `.some(nil)` removes it.
    public var description: String??
    /// The new contact; `.some(nil)` removes it.
    public var contact: String??
    /// The new state. Enabling an endpoint forgets its failures.
    public var state: EventEndpoint.State?
    /// The tag of the settings that the change was made from; nil for a change of whatever they are.
    public var expected: EntityTag?

    /// Creates a change from its parts.
    public init(
        url: String? = nil, types: [String]? = nil, include: [String]? = nil, description: String?? = nil,
        contact: String?? = nil, state: EventEndpoint.State? = nil
    ) {
        self.url = url
        self.types = types
        self.include = include
        self.description = description
        self.contact = contact
        self.state = state
    }
}
