import OstiaryAdmin

extension StatisticsRecord {
    init(_ statistics: AdminStatistics) {
        let totals = statistics.totals
        self.init(
            app: statistics.app, from: statistics.from, to: statistics.to, interval: statistics.interval.rawValue,
            by: statistics.grouping?.rawValue,
            items: statistics.items.map { item in
                Item(
                    start: item.start, attempts: item.attempts, succeeded: item.succeeded, failed: item.failed,
                    pending: item.pending, registrations: item.registrations,
                    groups: item.groups.map {
                        Group(
                            key: $0.key, attempts: $0.attempts, succeeded: $0.succeeded, failed: $0.failed,
                            pending: $0.pending)
                    })
            },
            totals: Totals(
                attempts: totals.attempts, succeeded: totals.succeeded, failed: totals.failed, pending: totals.pending,
                registrations: totals.registrations, successRate: totals.successRate, failureRate: totals.failureRate,
                secondFactorShare: totals.secondFactorShare, methods: totals.methods, outcomes: totals.outcomes,
                messages: totals.messages.map { Messages(channel: $0.channel, outcome: $0.outcome, count: $0.count) },
                activeAccounts: ActiveAccounts(
                    day: totals.activeAccounts.day, week: totals.activeAccounts.week, month: totals.activeAccounts.month
                )),
            activeDays: [])
    }
}
