import OstiaryEngine

/// The statistics of several apps as one.
struct StatisticsSummary {
    var items: [StatisticsReport.Item] = []
    var attempts = AttemptCounts()
    var registrations = 0
    var methods: [String: Int] = [:]
    var outcomes: [String: Int] = [:]
    var activeToday = 0
    var activeThisWeek = 0
    var activeThisMonth = 0

    /// Adds the statistics of an app for the same time.
    mutating func add(_ report: StatisticsReport) {
        if items.isEmpty {
            items = report.items
        } else {
            for (index, item) in report.items.enumerated() where items.indices.contains(index) {
                items[index].attempts = Self.sum(items[index].attempts, item.attempts)
            }
        }
        let totals = report.totals
        attempts = Self.sum(attempts, totals.attempts)
        registrations += totals.registrations
        methods.merge(totals.methods, uniquingKeysWith: +)
        outcomes.merge(totals.outcomes, uniquingKeysWith: +)
        activeToday += totals.activeAccounts.day
        activeThisWeek += totals.activeAccounts.week
        activeThisMonth += totals.activeAccounts.month
    }

    private static func sum(_ one: AttemptCounts, _ other: AttemptCounts) -> AttemptCounts {
        var sum = one
        sum.succeeded += other.succeeded
        sum.failed += other.failed
        sum.pending += other.pending
        return sum
    }
}
