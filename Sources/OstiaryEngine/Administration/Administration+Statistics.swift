import Foundation

extension Administration {
    /// Returns the statistics of the app.
    ///
    /// - Throws: ``AdministrationProblem`` with the pointer `/from`: `range_invalid` for an empty range, `range_too_long` for
    ///   one of more intervals than ``StatisticsInterval/maximumCount``.
    public func statistics(_ query: StatisticsQuery) async throws -> StatisticsReport {
        guard query.from < query.to else {
            throw AdministrationProblem.invalid(
                "from", "range_invalid", "the range of statistics ends before it begins")
        }
        let query = query.aligned
        guard query.to.timeIntervalSince(query.from) <= Double(query.interval.maximumCount * query.interval.seconds)
        else {
            throw AdministrationProblem.invalid(
                "from", "range_too_long",
                "statistics by \(query.interval.rawValue) cover at most \(query.interval.maximumCount) intervals")
        }
        let store = engine.ports.store
        var report = StatisticsReport(
            of: app.name, query,
            counts: try await store.counts(of: app.name, from: query.from, to: query.to, by: query.interval))
        // The end does not belong to the range; a range that ends in the future ends now.
        let last = CalendarDay(containing: min(query.to.addingTimeInterval(-0.001), now))
        let first = min(CalendarDay(containing: query.from), last)
        let active = try await store.activeAccounts(of: app.name, in: .day, beginningOn: first...last)
        report.activeDays = (first.number...last.number).map(CalendarDay.init(number:)).map {
            StatisticsReport.ActiveDay(start: $0.start, accounts: active[$0] ?? 0)
        }
        report.totals.activeAccounts.day = active[last] ?? 0
        report.totals.activeAccounts.week = try await store.activeAccounts(of: app.name, in: .week, last)
        report.totals.activeAccounts.month = try await store.activeAccounts(of: app.name, in: .month, last)
        return report
    }
}

extension StatisticsStore {
    /// Returns the number of accounts that were active in the period of a day.
    fileprivate func activeAccounts(
        of app: AppName, in period: ActivityPeriod, _ day: CalendarDay
    ) async throws -> Int {
        let start = period.start(of: day)
        return try await activeAccounts(of: app, in: period, beginningOn: start...start)[start] ?? 0
    }
}
