package import Foundation
import GRDB
import OstiaryCore
package import OstiaryEngine

extension SQLiteStore {
    package func append(_ event: AuditEvent) async throws {
        let refusalID = event.isRefusedSignIn ? system.randomEventID : nil
        try await write { db in
            try db.run(
                """
                INSERT INTO audit_event (
                    happened_at, app, action, outcome, account_id, session_id, identifier, address, user_agent, actor,
                    method, factor, is_new_account, details)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
                """,
                [
                    event.at.milliseconds, event.app.text, event.action, event.outcome, event.account?.text,
                    event.session?.text, event.identifier, event.address, event.userAgent, event.actor, event.method,
                    event.factor, event.isNewAccount ? true : nil, try AuditDetails(event.details).text(),
                ])
            if let refusalID { try db.recordRefusal(event, id: refusalID) }
        }
    }

    package func events(
        in app: AppName?, since: Date?, after position: Int?, limit: Int
    ) async throws -> [(position: Int, event: AuditEvent)] {
        try await read { db in
            try db.rows(
                """
                SELECT number, \(RowReader.auditEventColumns) FROM audit_event
                WHERE number > ?1 AND app = COALESCE(?2, app) AND happened_at >= ?3
                ORDER BY number LIMIT ?4
                """,
                [position ?? 0, app?.text, (since ?? .distantPast).milliseconds, max(0, min(limit, 10_000))]
            ) { row in (position: Int(try row.integer()), event: try row.auditEvent()) }
        }
    }

    package func events(
        _ query: AuditQuery, after position: AuditPosition?, limit: Int
    ) async throws -> (page: [RecordedEvent], position: AuditPosition?) {
        let limit = max(1, min(limit, 10_000))
        let selection = AuditSelection(query, after: position, limit: limit + 1, in: .sqlite)
        let values = selection.arguments.map(\.databaseValue)
        let events = try await read { db in
            try query.apps.map { app in
                try db.rows(selection.sql, ParameterValues([app.text.databaseValue] + values)) { row in
                    RecordedEvent(id: Int(try row.integer()), event: try row.auditEvent())
                }
            }
        }
        return query.page(merging: events, limit: limit)
    }
}

extension AuditSelection.Argument {
    fileprivate var databaseValue: DatabaseValue {
        switch self {
        case .text(let text): text.databaseValue
        case .integer(let integer): integer.databaseValue
        }
    }
}
