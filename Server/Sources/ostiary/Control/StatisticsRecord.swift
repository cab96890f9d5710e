import Foundation
import OstiaryEngine

/// Statistics as commands show them: the body of `GET /stats` of the admin API, and the active accounts of every day.
struct StatisticsRecord: Codable, Sendable {
    struct Group: Codable, Sendable {
        var key: String
        var attempts: Int
        var succeeded: Int
        var failed: Int
        var pending: Int
    }

    struct Item: Codable, Sendable {
        var start: Date
        var attempts: Int
        var succeeded: Int
        var failed: Int
        var pending: Int
        var registrations: Int
        var groups: [Group]
    }

    struct Messages: Codable, Sendable {
        var channel: String
        var outcome: String
        var count: Int
    }

    struct ActiveAccounts: Codable, Sendable {
        var day: Int
        var week: Int
        var month: Int
    }

    struct Totals: Codable, Sendable {
        var attempts: Int
        var succeeded: Int
        var failed: Int
        var pending: Int
        var registrations: Int
        var successRate: Double?
        var failureRate: Double?
        var secondFactorShare: Double?
        var methods: [String: Int]
        var outcomes: [String: Int]
        var messages: [Messages]
        var activeAccounts: ActiveAccounts

        private enum CodingKeys: String, CodingKey {
            case attempts, succeeded, failed, pending, registrations, methods, outcomes, messages
            case successRate = "success_rate"
            case failureRate = "failure_rate"
            case secondFactorShare = "second_factor_share"
            case activeAccounts = "active_accounts"
        }
    }

    struct ActiveDay: Codable, Sendable {
        var start: Date
        var accounts: Int
    }

    var app: String
    var from: Date
    var to: Date
    var interval: String
    var by: String?
    var items: [Item]
    var totals: Totals
    var activeDays: [ActiveDay]

    private enum CodingKeys: String, CodingKey {
        case app, from, to, interval, by, items, totals
        case activeDays = "active_days"
    }
}

extension StatisticsRecord {
    init(_ report: StatisticsReport) {
        app = report.app.text
        from = report.from
        to = report.to
        interval = report.interval.rawValue
        by = report.grouping?.rawValue
        items = report.items.map { item in
            Item(
                start: item.start, attempts: item.attempts.attempts, succeeded: item.attempts.succeeded,
                failed: item.attempts.failed, pending: item.attempts.pending, registrations: item.registrations,
                groups: item.groups.map {
                    Group(
                        key: $0.key, attempts: $0.attempts.attempts, succeeded: $0.attempts.succeeded,
                        failed: $0.attempts.failed, pending: $0.attempts.pending)
                })
        }
        let sums = report.totals
        totals = Totals(
            attempts: sums.attempts.attempts, succeeded: sums.attempts.succeeded, failed: sums.attempts.failed,
            pending: sums.attempts.pending, registrations: sums.registrations, successRate: sums.successRate,
            failureRate: sums.failureRate, secondFactorShare: sums.secondFactorShare, methods: sums.methods,
            outcomes: sums.outcomes,
            messages: sums.messages.map {
                Messages(channel: $0.channel, outcome: $0.outcome.rawValue, count: $0.count)
            },
            activeAccounts: ActiveAccounts(
                day: sums.activeAccounts.day, week: sums.activeAccounts.week, month: sums.activeAccounts.month))
        activeDays = report.activeDays.map { ActiveDay(start: $0.start, accounts: $0.accounts) }
    }
}
