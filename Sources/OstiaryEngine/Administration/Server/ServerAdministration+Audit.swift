public import Foundation
public import OstiaryCore

extension ServerAdministration {
    /// Returns a page of the audit events within reach.
    ///
    /// - Parameters:
    ///   - app: The name of the app; `nil` for all within reach, with what belongs to no app.
    ///   - account: The id of an account of the app; `nil` for any.
    ///   - action: The name of the action; `nil` for any.
    ///   - outcome: `ok` or the code of a refusal; `nil` for any.
    ///   - since: The time of the earliest event; `nil` for no bound.
    ///   - until: The time before which the events happened; `nil` for no bound.
    /// - Returns: At most `limit` events, and the position of the last; the position is `nil` if there are no more.
    /// - Throws: ``AdministrationProblem`` for an app that does not exist or is out of reach, for an account without its app,
    ///   and for a text that no event can have.
    public func auditEvents(
        app: String? = nil, account: AccountID? = nil, action: String? = nil, outcome: String? = nil,
        since: Date? = nil, until: Date? = nil, order: AuditQuery.Order = .newestFirst,
        after position: AuditPosition? = nil, limit: Int
    ) async throws -> (page: [RecordedEvent], position: AuditPosition?) {
        let names =
            try app.map { [try self.app($0).appName] } ?? apps.map(\.name) + (reach.includesServer ? [.server] : [])
        guard account == nil || app != nil else {
            throw AdministrationProblem.invalid("app", "missing", "the account needs the app that it belongs to")
        }
        let query = try AuditQuery(
            apps: names, account: account, action: action, outcome: outcome, since: since, until: until, order: order)
        return try await server.store.events(query, after: position, limit: limit)
    }

    /// The operations on the messages of the apps within reach.
    public var messages: MessageAdministration? {
        // All apps of a server share the sealer.
        guard let sealer = server.apps.first?.engine.ports.notificationSealer else { return nil }
        return MessageAdministration(
            store: server.store, sealer: sealer, system: server.system, apps: apps.map(\.name), actor: actor,
            caller: caller)
    }
}
