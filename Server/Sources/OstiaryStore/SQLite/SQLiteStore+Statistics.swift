package import Foundation
import GRDB
import OstiaryCore
package import OstiaryEngine

extension SQLiteStore {
    package func statisticsPosition() async throws -> Int {
        try await read { Int(try $0.statisticsPosition()) }
    }

    package func add(_ counts: [HourlyCount], movingPositionFrom old: Int, to new: Int) async throws -> Bool {
        try await write { db in
            guard try db.statisticsPosition() == Int64(old) else { return false }
            try db.run(
                """
                INSERT INTO statistics_position (source, position) VALUES ('audit_event', ?1)
                ON CONFLICT (source) DO UPDATE SET position = excluded.position
                """, [new])
            for count in counts { try db.add(count) }
            return true
        }
    }

    package func counts(
        of app: AppName, from start: Date, to end: Date, by interval: StatisticsInterval
    ) async throws -> [HourlyCount] {
        let width = Int64(interval.seconds) * 1000
        return try await read { db in
            try db.rows(
                """
                SELECT starts_at / ?4 * ?4, series, method, factor, outcome, sum(count) FROM statistic
                WHERE app = ?1 AND starts_at >= ?2 AND starts_at < ?3
                GROUP BY 1, 2, 3, 4, 5
                """, [app.text, start.milliseconds, end.milliseconds, width], read: { try $0.hourlyCount(of: app) }
            ).compactMap(\.self)
        }
    }

    package func activeAccounts(
        of app: AppName, in period: ActivityPeriod, beginningOn days: ClosedRange<CalendarDay>
    ) async throws -> [CalendarDay: Int] {
        let found = try await read { db in
            try db.rows(
                """
                SELECT starts_on, sum(count) FROM active_accounts
                WHERE app = ?1 AND period = ?2 AND starts_on BETWEEN ?3 AND ?4
                GROUP BY starts_on
                """, [app.text, period.rawValue, days.lowerBound.number, days.upperBound.number],
                read: { try $0.activeAccounts() })
        }
        return Dictionary(found) { $0 + $1 }
    }
}

extension Database {
    fileprivate func statisticsPosition() throws -> Int64 {
        try row(
            "SELECT position FROM statistics_position WHERE source = 'audit_event'", [], read: { try $0.integer() })
            ?? 0
    }

    fileprivate func add(_ count: HourlyCount) throws {
        let key = count.key
        try run(
            """
            INSERT INTO statistic (app, starts_at, series, operation, method, factor, outcome, slot, count)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 0, ?8)
            ON CONFLICT (app, starts_at, series, operation, method, factor, outcome, slot)
            DO UPDATE SET count = count + excluded.count
            """,
            [
                key.app.text, key.start.milliseconds, key.series.rawValue, key.operation, key.method, key.factor,
                key.outcome, count.count,
            ])
    }

    /// Counts the result of an app's message.
    func count(_ result: MessageResult, of app: AppName) throws {
        try add(HourlyCount(result.key(of: app), count: 1))
    }

    /// Counts an account as active in the periods in which it was not before.
    ///
    /// - Parameter isSignIn: `true` to record the time as the account's last sign-in.
    func noteActivity(of account: AccountID, in app: AppName, at now: Date, isSignIn: Bool = false) throws {
        let day = CalendarDay(containing: now)
        let previous = try row(
            "SELECT active_on FROM account_activity WHERE app = ?1 AND account_id = ?2", [app.text, account.text],
            read: { CalendarDay(number: Int(try $0.integer())) })
        let begun = ActivityPeriod.begun(by: day, after: previous)
        guard isSignIn || !begun.isEmpty else { return }
        try run(
            """
            INSERT INTO account_activity (app, account_id, last_sign_in_at, active_on) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (app, account_id) DO UPDATE SET
                last_sign_in_at = COALESCE(excluded.last_sign_in_at, last_sign_in_at),
                active_on = max(active_on, excluded.active_on)
            """, [app.text, account.text, isSignIn ? now.milliseconds : nil, day.number])
        for period in begun {
            try run(
                """
                INSERT INTO active_accounts (app, period, starts_on, slot, count) VALUES (?1, ?2, ?3, 0, 1)
                ON CONFLICT (app, period, starts_on, slot) DO UPDATE SET count = count + 1
                """, [app.text, period.rawValue, period.start(of: day).number])
        }
    }
}
