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
                    happened_at, app, action, outcome, account_id, session_id, identifier, address, user_agent, actor)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
                """,
                [
                    event.at.milliseconds, event.app.text, event.action, event.outcome, event.account?.text,
                    event.session?.text, event.identifier, event.address, event.userAgent, event.actor,
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
                SELECT number, happened_at, app, action, outcome, account_id, session_id, identifier, address, user_agent,
                    actor
                FROM audit_event
                WHERE number > ?1 AND app = COALESCE(?2, app) AND happened_at >= ?3
                ORDER BY number LIMIT ?4
                """,
                [position ?? 0, app?.text, (since ?? .distantPast).milliseconds, max(0, min(limit, 10_000))]
            ) { row in
                (
                    position: Int(try row.integer()),
                    event: AuditEvent(
                        at: try row.date(), app: try row.value(AppName.init), action: try row.text(),
                        outcome: try row.text(), account: try row.optionalValue(AccountID.init),
                        session: try row.optionalValue(SessionID.init), identifier: try row.optionalText(),
                        address: try row.optionalText(), userAgent: try row.optionalText(),
                        actor: try row.optionalText())
                )
            }
        }
    }
}
