import Foundation
import OstiaryAdminAPI
import OstiaryEngine

extension AdminRoutes {
    static let statistics = [
        AdminRoute(AdminAPI.getStatistics) { request, query, _ in
            let app = try request.server.app(query.app)
            let to = query.to ?? request.server.server.system.now()
            let range = StatisticsQuery(
                from: query.from ?? to.addingTimeInterval(-usualSeconds), to: to,
                interval: query.interval.flatMap { StatisticsInterval(rawValue: $0.rawValue) } ?? .day,
                grouping: query.grouping.flatMap { StatisticsGrouping(rawValue: $0.rawValue) })
            return AdminStatistics(try await app.statistics(range))
        }
    ]

    /// The length of the range of a request without `from`.
    private static let usualSeconds: TimeInterval = 7 * 86_400
}

extension AdminStatistics {
    init(_ report: StatisticsReport) {
        self.init()
        (app, from, to) = (report.app.text, report.from, report.to)
        interval = AdminStatisticsInterval(rawValue: report.interval.rawValue)
        grouping = report.grouping.map { AdminStatisticsGrouping(rawValue: $0.rawValue) }
        items = report.items.map { AdminStatisticsItem($0) }
        totals = AdminStatisticsTotals(report.totals)
    }
}

extension AdminStatisticsItem {
    init(_ item: StatisticsReport.Item) {
        self.init()
        start = item.start
        (attempts, succeeded) = (item.attempts.attempts, item.attempts.succeeded)
        (failed, pending) = (item.attempts.failed, item.attempts.pending)
        registrations = item.registrations
        groups = item.groups.map { AdminStatisticsGroup($0) }
    }
}

extension AdminStatisticsGroup {
    init(_ group: StatisticsReport.Group) {
        self.init()
        key = group.key
        (attempts, succeeded) = (group.attempts.attempts, group.attempts.succeeded)
        (failed, pending) = (group.attempts.failed, group.attempts.pending)
    }
}

extension AdminStatisticsTotals {
    init(_ totals: StatisticsReport.Totals) {
        self.init()
        (attempts, succeeded) = (totals.attempts.attempts, totals.attempts.succeeded)
        (failed, pending) = (totals.attempts.failed, totals.attempts.pending)
        (successRate, failureRate) = (totals.successRate, totals.failureRate)
        registrations = totals.registrations
        secondFactorShare = totals.secondFactorShare
        (methods, outcomes) = (totals.methods, totals.outcomes)
        messages = totals.messages.map { AdminMessageCount($0) }
        activeAccounts.day = totals.activeAccounts.day
        activeAccounts.week = totals.activeAccounts.week
        activeAccounts.month = totals.activeAccounts.month
    }
}

extension AdminMessageCount {
    init(_ count: StatisticsReport.MessageCount) {
        self.init()
        (channel, outcome, self.count) = (count.channel, count.outcome.rawValue, count.count)
    }
}
