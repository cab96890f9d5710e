import Foundation
import OstiaryEngine

/// Statistics as tables with sparklines.
struct StatisticsText {
    let statistics: StatisticsRecord

    var text: String {
        let range = "\(statistics.app): \(statistics.from.text) to \(statistics.to.text), by \(statistics.interval)"
        return ([range + "\n", overview, methods, errors] + (messages.map { [$0] } ?? [])).joined(separator: "\n")
    }

    private var overview: String {
        let (items, totals) = (statistics.items, statistics.totals)
        func trend(_ value: (StatisticsRecord.Item) -> Int) -> String {
            Sparkline.text(items.map { Double(value($0)) })
        }
        func rate(_ value: (StatisticsRecord.Item) -> Int) -> String {
            Sparkline.text(
                items.map { item in
                    let decided = item.succeeded + item.failed
                    return decided == 0 ? nil : Double(value(item)) / Double(decided)
                }, maximum: 1)
        }
        let active = totals.activeAccounts
        var table = Table("SIGN-INS", "TOTAL", "TREND")
        return table.lines([
            ["attempts", "\(totals.attempts)", trend(\.attempts)],
            ["success rate", Self.percent(totals.successRate), rate(\.succeeded)],
            ["failure rate", Self.percent(totals.failureRate), rate(\.failed)],
            ["pending", "\(totals.pending)", trend(\.pending)],
            ["with a second factor", Self.percent(totals.secondFactorShare), nil],
            ["registrations", "\(totals.registrations)", trend(\.registrations)],
            [
                "active accounts", "\(active.day) day, \(active.week) week, \(active.month) month",
                Sparkline.text(statistics.activeDays.map { Double($0.accounts) }),
            ],
        ])
    }

    private var methods: String {
        var table = Table("METHOD", "SUCCEEDED", "SHARE")
        return table.lines(Self.shares(of: statistics.totals.methods))
    }

    private var errors: String {
        var table = Table("ERROR CODE", "ATTEMPTS", "SHARE")
        let errors = statistics.totals.outcomes.filter { AuditEvent.isRefusal($0.key) }
        return table.lines(Self.shares(of: errors))
    }

    /// Nil if there were none.
    private var messages: String? {
        guard !statistics.totals.messages.isEmpty else { return nil }
        var table = Table("MESSAGES", "OUTCOME", "COUNT")
        return table.lines(statistics.totals.messages.map { [$0.channel, $0.outcome, "\($0.count)"] })
    }

    /// Returns the rows of counts with their shares, the greatest first.
    private static func shares(of counts: [String: Int]) -> [[String?]] {
        let total = counts.values.reduce(0, +)
        return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map {
            [$0.key, "\($0.value)", percent(total == 0 ? nil : Double($0.value) / Double(total))]
        }
    }

    /// Returns a share as a percentage with one digit; nil for none.
    private static func percent(_ share: Double?) -> String? {
        guard let share else { return nil }
        let tenths = Int((share * 1000).rounded())
        return "\(tenths / 10).\(tenths % 10) %"
    }
}
