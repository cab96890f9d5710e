public import Foundation

/// A store of endpoints, and of the events that are sent to them.
///
/// No call adds an ``AccountEvent`` of a change: the store records it in the transaction of the change, for every endpoint
/// that receives its type. Only ``EventType/signInRefused`` changes nothing; it is recorded with the audit event of the
/// refusal, see ``AuditEvent/isRefusedSignIn``.
public protocol EventStore: EventQueue {
    /// Adds an endpoint.
    ///
    /// - Returns: `false` if its app has ``EventEndpoint/limitPerApp`` endpoints.
    func add(_ endpoint: EventEndpoint, secret: [UInt8]) async throws -> Bool

    /// Returns the endpoints of an app, or of every app, in order of creation.
    func eventEndpoints(of app: AppName?) async throws -> [EventEndpoint]

    /// Returns the endpoint with that id; `nil` if there is none.
    func eventEndpoint(_ id: EventEndpointID) async throws -> EventEndpoint?

    /// Replaces URL, types, included fields, description and contact of an endpoint, and its state where one is given.
    /// Enabling an endpoint forgets its failures.
    ///
    /// - Parameter previous: The endpoint with the values that are replaced.
    /// - Returns: The endpoint; `nil` if there is none, or none with those values any more.
    func replace(
        _ previous: EventEndpoint, by endpoint: EventEndpoint, state: EventEndpoint.State?
    ) async throws -> EventEndpoint?

    /// Replaces the secret of an endpoint. The secret before it signs until `previousExpiresAt`.
    ///
    /// - Returns: `false` if there is no such endpoint.
    func replaceSecret(
        of id: EventEndpointID, with secret: [UInt8], previousExpiresAt: Date
    ) async throws -> Bool

    /// Removes an endpoint. Its deliveries that are pending fail.
    ///
    /// - Returns: `false` if there is no such endpoint.
    func removeEventEndpoint(_ id: EventEndpointID) async throws -> Bool

    /// Queues an event of the type ``EventType/test`` for one endpoint.
    ///
    /// - Returns: The delivery; `nil` if there is no such endpoint, or it is disabled.
    /// - Throws: ``TooManyPendingTests`` if ``EventEndpoint/limitOfPendingTests`` test events of the endpoint are pending.
    func queueTest(of id: EventEndpointID, at now: Date) async throws -> EventDelivery?

    /// Returns a page of deliveries, the newest first, beginning before `position`.
    func eventDeliveries(
        _ filter: EventDeliveryFilter, before position: Int?, limit: Int
    ) async throws -> [EventDelivery]

    /// Returns a delivery; `nil` if there is none.
    func eventDelivery(_ id: Int) async throws -> EventDelivery?

    /// Queues the event of a delivery once more for its endpoint, in no order with other events.
    ///
    /// - Returns: The new delivery; `nil` if there is no such delivery, or its endpoint is disabled or removed.
    /// - Throws: ``TooManyPendingTests`` for a test event, as for a new one.
    func redeliver(_ id: Int, at now: Date) async throws -> EventDelivery?
}

/// The queue of events that wait for delivery.
public protocol EventQueue: Sendable {
    /// Returns deliveries that are due, the oldest first, at most `limit`: of each account and endpoint at most one, the
    /// oldest that is pending. Each is claimed until `claimedUntil`: no other worker gets it before.
    ///
    /// Deliveries of disabled endpoints that are due fail.
    ///
    /// - Parameters:
    ///   - full: Endpoints whose deliveries are not claimed.
    ///   - fullApps: Apps whose deliveries are not claimed.
    func claimEvents(
        at now: Date, until claimedUntil: Date, limit: Int, excluding full: Set<EventEndpointID>,
        apps fullApps: Set<AppName>
    ) async throws -> [ClaimedDelivery]

    /// Records the attempts of a claimed delivery, and what follows from the last one for the delivery, for the account's
    /// next event and for ``EventEndpoint/failingSince``.
    func finish(
        _ delivery: EventDelivery, attempts: [EventDelivery.Attempt], _ outcome: EventAttemptOutcome, at now: Date
    ) async throws

    /// Makes a claimed delivery due at once, without an attempt.
    func release(_ delivery: EventDelivery) async throws

    /// Disables an endpoint, and queues the message to its contact in the same commit, if the message's counters allow it.
    ///
    /// - Parameter failingSince: Disables it only if it has failed since then; `nil` for any endpoint.
    func disable(
        _ id: EventEndpointID, failingSince: Date?, notice: CountedMessage?, at now: Date
    ) async throws -> EventEndpointDisabling
}

/// The refusal of another test event for an endpoint that has as many pending ones as it may have.
public struct TooManyPendingTests: Error, Hashable, Sendable {
    /// Creates the refusal.
    public init() {}
}

/// A message, and the counters that it counts against in the commit that stores it.
public struct CountedMessage: Hashable, Sendable {
    /// The message.
    public var message: QueuedMessage
    /// The counters.
    public var buckets: [AttemptBucket]

    /// Creates a message with its counters.
    public init(_ message: QueuedMessage, within buckets: [AttemptBucket]) {
        self.message = message
        self.buckets = buckets
    }
}

/// The outcome of disabling an endpoint.
public enum EventEndpointDisabling: Hashable, Sendable {
    /// The endpoint is disabled already, has not failed for so long, or does not exist.
    case unchanged
    /// This call disabled the endpoint. `refusal` is that of the counter that held its message back; `nil` if the message is
    /// queued, and if there is none.
    case disabled(refusal: AttemptRefusal?)
}
