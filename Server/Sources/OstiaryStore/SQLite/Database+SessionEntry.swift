import GRDB
import OstiaryCore
import OstiaryEngine

extension Database {
    /// Reads a session with its account and the row numbers and revision that the cache needs.
    func sessionEntry(_ id: SessionID, in app: AppName) throws -> SessionCache.Entry? {
        try row(
            """
            SELECT \(RowReader.sessionColumns), s.first_used_at, s.number, a.number, a.revision, \(RowReader.accountColumns)
            FROM session s JOIN account a ON a.app = s.app AND a.id = s.account_id
            WHERE s.id = ?1 AND s.app = ?2
            """, [id.text, app.text]
        ) { row in
            let session = try row.session()
            let firstUsedAt = try row.optionalDate()
            let numbers = (session: try row.integer(), account: try row.integer(), revision: try row.integer())
            return SessionCache.Entry(
                state: SessionState(session: session, account: try row.account(), currentFirstUsedAt: firstUsedAt),
                session: numbers.session, account: numbers.account, accountRevision: numbers.revision)
        }
    }

    /// Reads the same, but takes the account from `cache` unless it has changed: reading it is half of the work.
    func sessionEntry(_ id: SessionID, in app: AppName, reusing cache: SessionCache) throws -> SessionCache.Entry? {
        try row(
            """
            SELECT \(RowReader.sessionColumns), s.first_used_at, s.number, a.number, a.revision
            FROM session s JOIN account a ON a.app = s.app AND a.id = s.account_id
            WHERE s.id = ?1 AND s.app = ?2
            """, [id.text, app.text]
        ) { row in
            let session = try row.session()
            let firstUsedAt = try row.optionalDate()
            let numbers = (session: try row.integer(), account: try row.integer(), revision: try row.integer())
            return cache.account(of: id, number: numbers.account, revision: numbers.revision).map { account in
                SessionCache.Entry(
                    state: SessionState(session: session, account: account, currentFirstUsedAt: firstUsedAt),
                    session: numbers.session, account: numbers.account, accountRevision: numbers.revision)
            }
        }.flatMap { $0 } ?? sessionEntry(id, in: app)
    }
}
