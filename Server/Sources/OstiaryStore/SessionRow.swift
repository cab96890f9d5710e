import Foundation
import GRDB
import OstiaryCore
import OstiaryEngine

extension RowReader {
    /// The columns that ``session()`` reads, of a table called `s`.
    static let sessionColumns = """
        s.id, s.app, s.account_id, s.created_at, s.last_used_at, s.idle_seconds, s.idle_ends_at, s.ends_at, s.generation, \
        s.generation_issued_at, s.device_id, s.platform, s.os_version, s.app_version, s.address, s.user_agent, \
        s.revoked_at, s.revoke_reason
        """

    mutating func session() throws -> Session {
        var session = Session(
            id: try value(SessionID.init), app: try value(AppName.init), accountID: try value(AccountID.init),
            createdAt: try date(), idleSeconds: 0, endsAt: .distantFuture)
        session.lastUsedAt = try date()
        session.idleSeconds = Int(try integer())
        session.idleEndsAt = try date()
        session.endsAt = try date()
        session.generation = Int(try integer())
        session.generationIssuedAt = try date()
        let device = DeviceInfo(
            deviceID: try optionalText(), platform: try optionalText(), osVersion: try optionalText(),
            appVersion: try optionalText())
        session.device = device == DeviceInfo() ? nil : device
        session.address = try optionalText()
        session.userAgent = try optionalText()
        let revokedAt = try optionalDate()
        let reason = try optionalValue { text in
            guard let reason = Revocation.Reason(rawValue: text) else { throw FieldProblem.malformed }
            return reason
        }
        if let revokedAt, let reason { session.revocation = Revocation(reason: reason, at: revokedAt) }
        return session
    }
}

extension Database {
    /// A session with its account and what the cache needs to know of both.
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

    /// The same, where the account is taken from `cache` unless it has changed: reading it is half of the work.
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
