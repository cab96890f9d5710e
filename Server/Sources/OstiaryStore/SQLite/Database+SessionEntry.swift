import GRDB
import OstiaryCore
import OstiaryEngine

extension Database {
    private static let entry = selection(of: "\(numberedSessionColumns), \(RowReader.accountColumns)")
    private static let entryWithoutAccount = selection(of: numberedSessionColumns)
    private static let numberedSessionColumns =
        "\(RowReader.sessionColumns), s.first_used_at, s.number, a.number, a.revision"

    private static func selection(of columns: String) -> String {
        """
        SELECT \(columns) FROM session s JOIN account a ON a.app = s.app AND a.id = s.account_id
        WHERE s.id = ?1 AND s.app = ?2
        """
    }

    /// Reads a session with its account and the row numbers and revision that the cache needs.
    func sessionEntry(_ id: SessionID, in app: AppName) throws -> SessionCache.Entry? {
        try row(Self.entry, [id.text, app.text]) { row in
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
        try row(Self.entryWithoutAccount, [id.text, app.text]) { row in
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
