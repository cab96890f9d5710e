package import Foundation
import OstiaryCore
package import OstiaryEngine
import OstiaryPostgres

extension PostgresStore {
    package func statisticsPosition() async throws -> Int {
        let position = try await read("SELECT position FROM statistics_position WHERE source = 'audit_event'")
        return Int(try position.value { try $0.integer() } ?? 0)
    }

    /// Of two nodes the later waits for the position's row and then finds that it was moved.
    package func add(_ counts: [HourlyCount], movingPositionFrom old: Int, to new: Int) async throws -> Bool {
        let keys = counts.map(\.key)
        let moved = try await write(
            """
            WITH moved AS (
                INSERT INTO statistics_position (source, position) VALUES ('audit_event', $2)
                ON CONFLICT (source) DO UPDATE SET position = excluded.position WHERE statistics_position.position = $1
                RETURNING 1
            ), added AS (
                INSERT INTO statistic (app, starts_at, series, operation, method, factor, outcome, slot, count)
                SELECT app, starts_at, series, operation, method, factor, outcome, 0, count
                FROM moved, unnest($3, $4, $5, $6, $7, $8, $9, $10)
                    AS counted (app, starts_at, series, operation, method, factor, outcome, count)
                ON CONFLICT (app, starts_at, series, operation, method, factor, outcome, slot)
                DO UPDATE SET count = statistic.count + excluded.count
            )
            SELECT count(*) FROM moved
            """,
            [
                old, new, keys.map(\.app.text), keys.map(\.start.milliseconds), keys.map(\.series.rawValue),
                keys.map(\.operation), keys.map(\.method), keys.map(\.factor), keys.map(\.outcome),
                counts.map { Int64($0.count) },
            ])
        return try moved.value { try $0.integer() } == 1
    }

    package func counts(
        of app: AppName, from start: Date, to end: Date, by interval: StatisticsInterval
    ) async throws -> [HourlyCount] {
        let width = Int64(interval.seconds) * 1000
        return try await read(
            """
            SELECT starts_at / $4 * $4, series, method, factor, outcome, sum(count)::bigint FROM statistic
            WHERE app = $1 AND starts_at >= $2 AND starts_at < $3
            GROUP BY 1, 2, 3, 4, 5
            """, [app.text, start.milliseconds, end.milliseconds, width]
        ).values { try $0.hourlyCount(of: app) }.compactMap(\.self)
    }

    package func activeAccounts(
        of app: AppName, in period: ActivityPeriod, beginningOn days: ClosedRange<CalendarDay>
    ) async throws -> [CalendarDay: Int] {
        let found = try await read(
            """
            SELECT starts_on, sum(count)::bigint FROM active_accounts
            WHERE app = $1 AND period = $2 AND starts_on BETWEEN $3 AND $4
            GROUP BY starts_on
            """, [app.text, period.rawValue, days.lowerBound.number, days.upperBound.number]
        ).values { try $0.activeAccounts() }
        return Dictionary(found) { $0 + $1 }
    }
}

/// The activity of accounts. These statements follow all others of their transaction, so that transactions lock the counts
/// last, and in one order.
extension PostgresStore {
    /// Records the sign-in that opened a session, and counts the account as active in the periods in which it was not
    /// before. Does nothing if the session was not added. A repetition finds the day recorded, and counts nothing.
    static func notingSignIn(of session: Session) -> PostgresStatement {
        let days = ActivityDays(at: session.createdAt)
        return PostgresStatement(
            """
            WITH active AS (
                INSERT INTO account_activity (app, account_id, last_sign_in_at, active_on)
                SELECT app, account_id, created_at, $2 FROM session WHERE id = $1
                ON CONFLICT (app, account_id) DO UPDATE SET
                    last_sign_in_at = excluded.last_sign_in_at,
                    previous_on = account_activity.active_on,
                    active_on = GREATEST(account_activity.active_on, excluded.active_on)
                RETURNING app, previous_on
            )
            \(countingActive(day: "$2", week: "$3", month: "$4", slot: "$5"))
            """, [session.id.text] + days.parameters(slot: slot(of: session.id.text)))
    }

    /// Counts an account as active on a day on which no session was opened.
    static func notingActivity(
        of account: AccountID, in app: AppName, at now: Date, slot: Int
    ) -> PostgresStatement {
        PostgresStatement(
            """
            WITH active AS (
                \(notingActive(of: "VALUES ($1, $6, $2)"))
            )
            \(countingActive(day: "$2", week: "$3", month: "$4", slot: "$5"))
            """, [app.text] + ActivityDays(at: now).parameters(slot: slot) + [account.text])
    }

    /// Moves the last day of activity of the accounts that `source` returns, and returns those that moved.
    ///
    /// - Parameter source: A query for the app, the account and the day.
    static func notingActive(of source: String) -> String {
        """
        INSERT INTO account_activity (app, account_id, active_on)
        \(source)
        ON CONFLICT (app, account_id) DO UPDATE SET
            previous_on = account_activity.active_on, active_on = excluded.active_on
            WHERE account_activity.active_on < excluded.active_on
        RETURNING app, previous_on
        """
    }

    /// Counts the accounts of the table expression `active` in the periods that began after their last day of activity. The
    /// rows of the counts are locked in one order.
    ///
    /// - Parameters: The parameters that hold the first days of the periods, and the slot.
    static func countingActive(day: String, week: String, month: String, slot: String) -> String {
        """
        INSERT INTO active_accounts (app, period, starts_on, slot, count)
        SELECT app, period, starts_on, \(slot), count(*)
        FROM active, (VALUES ('day', \(day)), ('month', \(month)), ('week', \(week))) AS periods (period, starts_on)
        WHERE previous_on IS NULL OR previous_on < starts_on
        GROUP BY app, period, starts_on
        ORDER BY app, period
        ON CONFLICT (app, period, starts_on, slot) DO UPDATE SET count = active_accounts.count + excluded.count
        """
    }

    /// Returns the slot in which a transaction counts that is identified by a text: the same for its repetition.
    static func slot(of text: String) -> Int { text.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF } % slots }

    /// More than transactions that one server commits at a time and that count the same.
    private static let slots = 16
}

/// The first days of the periods that a time belongs to.
struct ActivityDays {
    let day: CalendarDay

    init(at time: Date) { day = CalendarDay(containing: time) }

    /// The day, the first day of the week, that of the month, and the slot.
    func parameters(slot: Int) -> [any PostgresParameter] {
        [day.number, day.startOfWeek.number, day.startOfMonth.number, slot]
    }
}
