public import Foundation
public import OstiaryCore

/// A selection of audit events.
public struct AuditQuery: Hashable, Sendable {
    /// The apps whose events are selected.
    public var apps: [AppName]
    /// The account that the events concern; `nil` for any. Its id is unique within one app.
    public let account: AccountID?
    /// The name of the action; `nil` for any.
    public var action: String?
    /// The outcome, `ok` or the code of a refusal; `nil` for any.
    public var outcome: String?
    /// The time of the earliest event; `nil` for no bound.
    public var since: Date?
    /// The time before which the events happened; `nil` for no bound.
    public var until: Date?
    /// The order of the events.
    public var order: Order

    /// The order of events in time.
    public enum Order: Hashable, Sendable {
        /// The latest event first.
        case newestFirst
        /// The earliest event first.
        case oldestFirst
    }

    /// The maximum length of an action and of an outcome, in bytes.
    public static let maximumTextBytes = 64

    /// Creates a query from its parts.
    ///
    /// - Throws: ``AdministrationProblem`` for an account without exactly one app, and for a text that no event can have.
    public init(
        apps: [AppName], account: AccountID? = nil, action: String? = nil, outcome: String? = nil, since: Date? = nil,
        until: Date? = nil, order: Order = .newestFirst
    ) throws(AdministrationProblem) {
        guard account == nil || apps.count == 1 else {
            throw .invalid("app", "missing", "the account needs the app that it belongs to")
        }
        for (name, text) in [("action", action), ("outcome", outcome)] {
            guard let text else { continue }
            guard !text.isEmpty, text.utf8.count <= Self.maximumTextBytes,
                text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
            else { throw .invalid(name, "malformed", "\(name) is 1 to \(Self.maximumTextBytes) characters of ASCII") }
        }
        self.apps = apps
        self.account = account
        self.action = action
        self.outcome = outcome
        self.since = since
        self.until = until
        self.order = order
    }

    /// Returns `true` if the query selects an event.
    public func selects(_ event: AuditEvent) -> Bool {
        apps.contains(event.app) && account.map { $0 == event.account } ?? true
            && action.map { $0.utf8.elementsEqual(event.action.utf8) } ?? true
            && outcome.map { $0.utf8.elementsEqual(event.outcome.utf8) } ?? true
            && since.map { event.at.milliseconds >= $0.milliseconds } ?? true
            && until.map { event.at.milliseconds < $0.milliseconds } ?? true
    }
}

/// An audit event with its number.
public struct RecordedEvent: Hashable, Sendable {
    /// The number of the event, unique in the store.
    public var id: Int
    /// The event.
    public var event: AuditEvent

    /// Creates a recorded event from its parts.
    public init(id: Int, event: AuditEvent) {
        self.id = id
        self.event = event
    }

    /// The position of the event in a selection.
    public var position: AuditPosition { AuditPosition(at: event.at, number: id) }
}

/// The position of an event among all events in the order of their times: events of the same time by their numbers.
public struct AuditPosition: Hashable, Sendable, Comparable {
    /// The time of the event.
    public var at: Date
    /// The number of the event.
    public var number: Int

    /// Creates a position from its parts.
    public init(at: Date, number: Int) {
        self.at = at
        self.number = number
    }

    /// Orders positions by time, then by number.
    public static func < (left: AuditPosition, right: AuditPosition) -> Bool {
        (left.at, left.number) < (right.at, right.number)
    }
}

extension AuditQuery {
    /// Returns a page of the events of one app each, as one selection.
    ///
    /// - Parameters:
    ///   - events: The first `limit + 1` events of each app, in the order of the query.
    public func page(
        merging events: [[RecordedEvent]], limit: Int
    ) -> (page: [RecordedEvent], position: AuditPosition?) {
        let all =
            events.count == 1
            ? events[0]
            : events.joined().sorted {
                order == .newestFirst ? $0.position > $1.position : $0.position < $1.position
            }
        let page = Array(all.prefix(limit))
        return (page, all.count > limit ? page.last?.position : nil)
    }
}
