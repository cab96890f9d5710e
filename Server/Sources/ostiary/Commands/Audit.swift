import ArgumentParser
import Foundation
import OstiaryEngine

/// `ostiary audit`
struct Audit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "What was done and refused, by whom, in the order in which it happened.",
        discussion: """
            Example:
              ostiary audit --since 2h
              ostiary audit --app vici --since 2026-01-31T12:00:00Z --json
              ostiary audit --follow
            """)

    @Option(help: ArgumentHelp("This app alone.", valueName: "name")) var app: String?

    @OptionGroup var store: StoreOptions

    @Option(help: ArgumentHelp("Since when: 90s, 30m, 2h, 7d, or a time in RFC 3339.", valueName: "when"))
    var since: Since?

    @Flag(help: "Go on with what happens, until Ctrl-C. Waits for a server where none runs.") var follow = false

    @Flag(help: "Print JSON, one event a line.") var json = false

    private static let pollInterval = Duration.milliseconds(500)

    func run() async throws {
        let (app, since, json) = (app, since?.date(before: Date()), json)
        let position = Progress()
        try await store.administer { control in
            position.value = try await Self.print(from: control, app: app, since: since, after: nil, json: json)
        }
        guard follow else { return }
        let plan = try store.plan()
        try await StoreOptions.exiting {
            try await cancelledWhenInterrupted {
                try await Self.follow(plan, app: app, since: since, after: position.value, json: json)
            }
        }
    }

    /// Shows new events until the task is cancelled or nobody reads any more. Survives the server's restarts; without one
    /// nothing happens, and the store must stay free for it to start.
    private static func follow(
        _ plan: Plan, app: String?, since: Date?, after start: Int?, json: Bool
    ) async throws {
        var position = start
        var server: ControlClient?
        while !Task.isCancelled, !StandardOutput.isClosed {
            do {
                if server == nil { server = try await plan.reachServer() }
                if let server { position = try await print(from: server, app: app, since: since, after: position, json: json) }
            } catch is AdministrationProblem {
                try? await server?.close()
                server = nil
            }
            do { try await Task.sleep(for: pollInterval) } catch { break }
        }
        try? await server?.close()
    }
}
