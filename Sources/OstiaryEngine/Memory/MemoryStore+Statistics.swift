public import Foundation
import OstiaryCore

extension MemoryStore {
    /// Returns the position in the audit log up to which events are counted.
    public func statisticsPosition() -> Int { transaction { $0.statisticsPosition } }

    /// Adds counts and moves the position, if it is still `old`; returns `true` if it was.
    public func add(_ counts: [HourlyCount], movingPositionFrom old: Int, to new: Int) -> Bool {
        transaction { tables in
            guard tables.statisticsPosition == old else { return false }
            tables.statisticsPosition = new
            for count in counts { tables.statistics[count.key, default: 0] += count.count }
            return true
        }
    }

    /// Returns an app's counts of the hours from `start` to before `end`, summed by interval and over operations.
    public func counts(
        of app: AppName, from start: Date, to end: Date, by interval: StatisticsInterval
    ) -> [HourlyCount] {
        transaction { tables in
            var sums: [HourlyCount.Key: Int] = [:]
            for (key, count) in tables.statistics where key.app == app && key.start >= start && key.start < end {
                var key = key
                key.start = interval.start(of: key.start)
                key.operation = ""
                sums[key, default: 0] += count
            }
            return sums.map { HourlyCount($0.key, count: $0.value) }
        }
    }

    /// Returns the numbers of an app's accounts that were active in the periods that begin on one of the days.
    public func activeAccounts(
        of app: AppName, in period: ActivityPeriod, beginningOn days: ClosedRange<CalendarDay>
    ) -> [CalendarDay: Int] {
        transaction { tables in
            let found = tables.activeAccounts.filter {
                $0.key.app == app && $0.key.period == period && days.contains($0.key.start)
            }
            return Dictionary(uniqueKeysWithValues: found.map { ($0.key.start, $0.value) })
        }
    }
}

extension MemoryTables {
    /// Counts an account as active in the periods in which it was not before.
    mutating func noteActivity(of account: AccountID, in app: AppName, at now: Date) {
        guard let row = apps[app]?.rows[account] else { return }
        let day = CalendarDay(containing: now)
        for period in ActivityPeriod.begun(by: day, after: row.activeOn) {
            activeAccounts[ActivityKey(app: app, period: period, start: period.start(of: day)), default: 0] += 1
        }
        apps[app]?.rows[account]?.activeOn = max(day, row.activeOn ?? day)
    }
}
