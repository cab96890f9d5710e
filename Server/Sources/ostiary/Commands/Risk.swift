import ArgumentParser
import Foundation
import OstiaryEngine

/// The command `ostiary risk`.
struct Risk: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "risk", abstract: "The risk of sign-ins.",
        discussion: """
            Example:
              ostiary risk explain --app vici --session IEOL1h6p7xs3idHyAutwXw
            """, subcommands: [Explain.self])

    struct Explain: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "explain",
            abstract: "Prints the signals of a sign-in and their sum, as they were assessed then.",
            discussion: """
                Example:
                  ostiary risk explain --app vici --session IEOL1h6p7xs3idHyAutwXw
                  ostiary risk explain --app vici --event 4711 --json
                """)

        @OptionGroup var options: LocalAppOptions

        @Option(help: ArgumentHelp("The session that the sign-in opened.", valueName: "id")) var session: String?

        @Option(
            help: ArgumentHelp("The event of the sign-in, as `ostiary audit --json` prints its id.", valueName: "id"))
        var event: Int?

        @Flag(help: "Print JSON.") var json = false

        func validate() throws {
            guard (session == nil) != (event == nil) else {
                throw ValidationError("Name either a --session or an --event.")
            }
        }

        func run() async throws {
            let (app, session, event, json) = (options.app, session, event, json)
            try await options.administer { control in
                let command = ControlCommand.explainRisk(session: session, event: event)
                guard case .risk(let risk) = try await control.perform(command, app: app) else {
                    throw ControlReply.unexpected
                }
                try StandardOutput.write(json ? JSONList.line(risk) + "\n" : Self.text(risk))
            }
        }

        private static func text(_ risk: RiskRecord) -> String {
            var table = Table("SIGNAL", "POINTS")
            let rows =
                risk.signals.map { [$0.code, $0.weight.map { "\($0)" }] } + [["sum: \(risk.level)", "\(risk.score)"]]
            let country = risk.country.map { " from \($0)" } ?? ""
            return "event \(risk.event), \(risk.at.preciseText), \(risk.outcome)\(country)\n" + table.lines(rows)
        }
    }
}
