import Foundation

extension StatisticsReport {
    /// Creates the report of an aligned query from the counts of its range, whose hours are those of intervals.
    init(of app: AppName, _ query: StatisticsQuery, counts: [HourlyCount]) {
        self.init(
            app: app, from: query.from, to: query.to, interval: query.interval, grouping: query.grouping,
            items: (0..<query.count).map {
                Item(start: query.from.addingTimeInterval(Double($0 * query.interval.seconds)))
            }, totals: Totals(), activeDays: [])
        var groups = [[String: AttemptCounts]](repeating: [:], count: items.count)
        var messages: [HourlyCount.Key: Int] = [:]
        var protected = 0
        for count in counts {
            let (key, number) = (count.key, count.count)
            let index = Int(key.start.timeIntervalSince(query.from).rounded(.down)) / query.interval.seconds
            guard items.indices.contains(index) else { continue }
            switch key.series {
            case .registration:
                items[index].registrations += number
                totals.registrations += number
            case .message:
                let sum = HourlyCount.Key(
                    app: app, at: query.from, series: .message, method: key.method, outcome: key.outcome)
                messages[sum, default: 0] += number
            case .signIn:
                items[index].attempts.add(number, outcome: key.outcome)
                totals.attempts.add(number, outcome: key.outcome)
                totals.outcomes[key.outcome, default: 0] += number
                if key.outcome == AuditEvent.succeeded {
                    totals.methods[key.method, default: 0] += number
                    if key.hasSecondFactor { protected += number }
                }
                switch query.grouping {
                case .method: groups[index][key.method, default: AttemptCounts()].add(number, outcome: key.outcome)
                case .outcome: groups[index][key.outcome, default: AttemptCounts()].add(number, outcome: key.outcome)
                case nil: break
                }
            }
        }
        for (index, group) in groups.enumerated() {
            items[index].groups = group.map { Group(key: $0.key, attempts: $0.value) }
                .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        }
        totals.messages = messages.compactMap { key, number in
            MessageOutcome(rawValue: key.outcome).map { MessageCount(channel: key.method, outcome: $0, count: number) }
        }.sorted { ($0.channel, $0.outcome.rawValue) < ($1.channel, $1.outcome.rawValue) }
        if totals.attempts.succeeded > 0 {
            totals.secondFactorShare = Double(protected) / Double(totals.attempts.succeeded)
        }
    }
}

extension HourlyCount.Key {
    /// `true` if the person showed a second factor, or a passkey, which is two factors. A remembered device shows none.
    fileprivate var hasSecondFactor: Bool {
        if factor.isEmpty { return method == SignInMethod.passkey }
        return factor != AuthenticationMethod.rememberedDevice.rawValue
    }
}
