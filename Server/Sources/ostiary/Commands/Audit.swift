import ArgumentParser
import Foundation
import OstiaryEngine

/// The command `ostiary audit`.
struct Audit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Prints the audit log: operations and refusals with their actors, in order.",
        discussion: """
            Example:
              ostiary audit --since 2h
              ostiary audit --app vici --since 2026-01-31T12:00:00Z --json
              ostiary audit --app vici --account ann@example.com --until 1h
              ostiary audit --action signIn --outcome wrong_credentials --since 1d
              ostiary audit --follow
            """)

    @Option(help: ArgumentHelp("This app alone.", valueName: "name")) var app: String?

    @OptionGroup var remote: RemoteOptions

    @OptionGroup var store: StoreOptions

    @Option(help: ArgumentHelp("The start of the period: 90s, 30m, 2h, 7d, or a time in RFC 3339.", valueName: "when"))
    var since: Since?

    @Option(help: ArgumentHelp("The end of the period, in the same forms.", valueName: "when")) var until: Since?

    @Option(
        help: ArgumentHelp(
            "The account concerned, by its id, email, username or phone number; needs --app.", valueName: "who"))
    var account: String?

    @Option(help: ArgumentHelp("The name of an action, for example signIn or cli.users.delete.", valueName: "name"))
    var action: String?

    @Option(help: ArgumentHelp("ok, or the code of a refusal.", valueName: "code")) var outcome: String?

    @Flag(help: "Continue with new events, until Ctrl-C. Waits for a server where none runs.") var follow = false

    @Flag(help: "Print JSON, one event a line.") var json = false

    func validate() throws {
        guard account == nil || app != nil else { throw ValidationError("--account needs --app.") }
    }

    func run() async throws {
        let now = Date()
        let filter = AuditFilter(
            account: account, action: action, outcome: outcome, since: since?.date(before: now),
            until: until?.date(before: now))
        let events = EventList(app: app, filter: filter, follows: follow, json: json)
        let shown = try await store.administer(remote) { control in
            var events = events
            try await events.show(from: control)
            if events.follows, let server = control as? RemoteControl {
                let shown = events
                try await cancelledWhenInterrupted { try await Self.follow(shown, of: server) }
            }
            return events
        }
        guard follow, remote.server == nil else { return }
        let resolved = try store.resolvedConfiguration()
        try await StoreOptions.exiting {
            try await cancelledWhenInterrupted { try await Self.follow(shown, of: resolved) }
        }
    }

    private static let pollInterval = Duration.milliseconds(500)

    /// The interval of requests to a server on another machine, each of which is an event of its audit log.
    private static let remotePollInterval = Duration.seconds(2)

    /// Prints new events of a server on another machine until the task is cancelled or standard output is closed. Continues
    /// after failures that pass.
    private static func follow(_ shown: EventList, of server: RemoteControl) async throws {
        var events = shown
        var lastProblem: AdministrationProblem?
        while !StandardOutput.isClosed, (try? await Task.sleep(for: remotePollInterval)) != nil {
            do {
                try await events.show(from: server)
                lastProblem = nil
            } catch let problem as AdministrationProblem where problem.reason == .busy {
                if problem != lastProblem { printError(TerminalText.escaped(problem.description)) }
                lastProblem = problem
            } catch {
                guard Task.isCancelled else { throw error }
            }
        }
    }

    /// Prints new events until the task is cancelled or standard output is closed. Continues across restarts of the
    /// server. Without a running server it only waits with SQLite, since opening the file would keep a server from
    /// starting.
    private static func follow(_ shown: EventList, of resolved: ResolvedConfiguration) async throws {
        var events = shown
        var server: (any Control)?
        var lastProblem: AdministrationProblem?
        while !Task.isCancelled, !StandardOutput.isClosed {
            do {
                if server == nil { server = try await resolved.reachOpenStore() }
                if let server {
                    try await events.show(from: server)
                    lastProblem = nil
                }
            } catch is CancellationError {
                break
            } catch ControlClient.Failure.notRunning {
                try? await server?.close()
                server = nil
            } catch let problem as AdministrationProblem {
                if problem != lastProblem { printError(TerminalText.escaped(problem.description)) }
                lastProblem = problem
                try? await server?.close()
                server = nil
            }
            do { try await Task.sleep(for: pollInterval) } catch { break }
        }
        try? await server?.close()
    }
}

/// A printer of audit events that remembers the position of the last event printed.
private struct EventList: Sendable {
    let app: String?
    let filter: AuditFilter
    let follows: Bool
    let json: Bool
    private var position: Int?
    private var table = Table("AT", "APP", "ACTION", "OUTCOME", "ACCOUNT", "SESSION", "IDENTIFIER", "ADDRESS", "ACTOR")

    init(app: String?, filter: AuditFilter, follows: Bool, json: Bool) {
        self.app = app
        self.filter = filter
        self.follows = follows
        self.json = json
    }

    /// Prints the events since the last call.
    mutating func show(from control: any Control) async throws {
        // Only what an index finds need not be followed, and what a server on another machine selects.
        guard follows || filter.isOpen && !(control is RemoteControl) else {
            return try await showSelection(from: control)
        }
        while true {
            let command = ControlCommand.audit(filter, after: position)
            guard case .events(let page, let last) = try await control.perform(command, app: app) else {
                throw ControlReply.unexpected
            }
            try write(page)
            guard let last else { return }
            position = last
        }
    }

    private mutating func showSelection(from control: any Control) async throws {
        var position: EventPosition?
        repeat {
            let command = ControlCommand.selectEvents(filter, after: position)
            guard case .selectedEvents(let page, let next) = try await control.perform(command, app: app) else {
                throw ControlReply.unexpected
            }
            try write(page)
            position = next
        } while position != nil
    }

    private mutating func write(_ page: [EventRecord]) throws {
        if json {
            try StandardOutput.write(try page.map { try JSONList.line($0) + "\n" }.joined())
        } else {
            let text = table.lines(page.map(Self.row))
            try StandardOutput.write(text)
        }
    }

    private static func row(_ event: EventRecord) -> [String?] {
        [
            event.at.preciseText, event.app, event.action, event.outcome, event.account, event.session,
            event.identifier, event.address, event.actor,
        ]
    }
}

/// A point in time, given as an age or as a date.
struct Since: ExpressibleByArgument {
    private let moment: Moment

    private enum Moment {
        case age(seconds: TimeInterval)
        case time(Date)
    }

    private static let units: [Character: TimeInterval] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]

    init?(argument: String) {
        if argument.last.flatMap({ Self.units[$0] }) != nil {
            guard let seconds = Self.seconds(argument) else { return nil }
            moment = .age(seconds: seconds)
        } else {
            let styles = [Date.ISO8601FormatStyle(), Date.ISO8601FormatStyle(includingFractionalSeconds: true)]
            guard let time = styles.lazy.compactMap({ try? $0.parse(argument) }).first else { return nil }
            moment = .time(time)
        }
    }

    /// Returns the length of a period such as 90s, 30m, 2h, 7d or 2w; nil for other text.
    static func seconds(_ text: String) -> TimeInterval? {
        guard let unit = text.last.flatMap({ units[$0] }), let count = UInt32(text.dropLast()) else { return nil }
        return Double(count) * unit
    }

    func date(before now: Date) -> Date {
        switch moment {
        case .age(let seconds): now.addingTimeInterval(-seconds)
        case .time(let time): time
        }
    }
}
