import Foundation
import OstiaryAdmin
import OstiaryEngine
import Synchronization

extension RemoteControl {
    /// The maximum number of audit events of one reading: they are sorted before.
    private static let maximumEvents = 200_000

    /// Returns the events of the audit log that a filter selects, the oldest first, as commands print them.
    func events(of app: String?, _ filter: AuditFilter) async throws -> [EventRecord] {
        let account = try await account(of: app, filter)
        return try await events(of: app, filter, account: account, since: filter.since).map { EventRecord($0) }
    }

    /// Returns the events since the last call, without those of these very requests, which would never end.
    func newEvents(of app: String?, _ filter: AuditFilter) async throws -> [EventRecord] {
        var tail = auditTail.withLock { $0 }
        if tail.account == nil { tail.account = try await account(of: app, filter) }
        let found = try await events(of: app, filter, account: tail.account, since: tail.start ?? filter.since)
        let new = tail.take(found).filter { !isOwn($0) }
        auditTail.withLock { [tail] in $0 = tail }
        return new.map { EventRecord($0) }
    }

    private func isOwn(_ event: AdminAuditEvent) -> Bool {
        guard let actor, let other = event.actor else { return false }
        return actor.utf8.elementsEqual(other.utf8) && event.action.utf8.elementsEqual(Self.ownAction.utf8)
    }

    private static let ownAction = "admin.\(AdminAPI.listAuditEvents.operation.name)"

    private func account(of app: String?, _ filter: AuditFilter) async throws -> String? {
        guard let who = filter.account else { return nil }
        return try await account(who, in: app ?? "").id
    }

    private func events(
        of app: String?, _ filter: AuditFilter, account: String?, since: Date?
    ) async throws -> [AdminAuditEvent] {
        let query = AdminAuditQuery(
            app: app, account: account, action: filter.action, outcome: filter.outcome, since: since,
            until: filter.until, limit: AdminAPI.maximumPageLimit)
        var events: [AdminAuditEvent] = []
        for try await event in admin.auditEvents(query) {
            guard events.count < Self.maximumEvents else {
                throw AdministrationProblem(
                    "more than \(Self.maximumEvents) events: choose a shorter period with --since")
            }
            events.append(event)
        }
        return events.reversed()
    }
}
