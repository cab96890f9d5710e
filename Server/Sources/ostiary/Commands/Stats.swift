import ArgumentParser
import Foundation
import OstiaryEngine

/// The command `ostiary stats`.
struct Stats: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract:
            "Prints the statistics of an app: success and failure rates, error codes, methods and active accounts.",
        discussion: """
            Example:
              ostiary stats --app vici
              ostiary stats --app vici --since 24h --json
            """)

    @OptionGroup var app: AppOptions

    @Option(
        help: ArgumentHelp(
            "The start of the period: 30m, 24h, 7d, or a time in RFC 3339. (default: 7d)", valueName: "when"))
    var since: Since?

    @Flag(help: "Print JSON: the body of GET /stats of the admin API.") var json = false

    private static let usualPeriod: TimeInterval = 7 * 86_400
    /// Up to this length, a period is divided into hours.
    private static let longestByHour: TimeInterval = 2 * 86_400

    func run() async throws {
        let now = Date()
        let from = since?.date(before: now) ?? now.addingTimeInterval(-Self.usualPeriod)
        let interval: StatisticsInterval = now.timeIntervalSince(from) <= Self.longestByHour ? .hour : .day
        let query = ControlCommand.statistics(from: from, to: now, interval: interval.rawValue)
        let (name, json) = (app.app, json)
        try await app.administer { control in
            guard case .statistics(let statistics) = try await control.perform(query, app: name) else {
                throw ControlReply.unexpected
            }
            try StandardOutput.write(
                json ? JSONList.line(statistics) + "\n" : StatisticsText(statistics: statistics).text)
        }
    }
}
