public import Foundation

/// A store of statistics. Active accounts and messages are counted by the transactions that change them; see
/// ``SessionStore`` and ``DeliveryQueue``.
public protocol StatisticsStore: Sendable {
    /// Returns the position in the audit log up to which events are counted; 0 for none.
    func statisticsPosition() async throws -> Int

    /// Adds counts and moves the position in one commit, if the position is still `old` (compare-and-set).
    ///
    /// - Returns: `true` if it was. `false` also where a commit of this call was repeated.
    func add(_ counts: [HourlyCount], movingPositionFrom old: Int, to new: Int) async throws -> Bool

    /// Returns an app's counts of the hours from `start` to before `end`, summed by interval and over operations. The
    /// result's `start` is that of the interval.
    func counts(
        of app: AppName, from start: Date, to end: Date, by interval: StatisticsInterval
    ) async throws -> [HourlyCount]

    /// Returns the numbers of an app's accounts that were active in the periods that begin on one of the days.
    func activeAccounts(
        of app: AppName, in period: ActivityPeriod, beginningOn days: ClosedRange<CalendarDay>
    ) async throws -> [CalendarDay: Int]
}
