import ArgumentParser
import Foundation
import OstiaryConfiguration
import OstiaryEngine
import OstiaryHTTP

/// The command `ostiary tail`.
struct Tail: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tail", abstract: "Follows the requests of the server that runs on this machine, until it ends.",
        discussion: """
            Prints the requests from now on that every given condition selects, in the format of the server's log. \
            A reader that is too slow loses requests, and prints how many; the server does not wait.

            Example:
              ostiary tail --app vici --status 5xx
              ostiary tail --operation signIn --slower-than 500
              ostiary tail --network 203.0.113.0/24 --format json
            """)

    @Option(help: ArgumentHelp("This app alone.", valueName: "name")) var app: String?

    @Option(help: ArgumentHelp("This operation alone, for example signIn.", valueName: "name")) var operation: String?

    @Option(help: ArgumentHelp("A status such as 404, or a class such as 4xx.", valueName: "status"))
    var status: Status?

    @Option(help: ArgumentHelp("A client's address, or a network such as 10.0.0.0/8.", valueName: "cidr"))
    var network: Network?

    @Option(help: ArgumentHelp("The id of a trace: 32 hexadecimal digits.", valueName: "id")) var trace: String?

    @Option(name: .long, help: ArgumentHelp("The least duration in milliseconds.", valueName: "ms"))
    var slowerThan: Double?

    @Option(
        help: ArgumentHelp(
            "json, logfmt or console. Default: as the server's log, or console on a terminal.", valueName: "format"))
    var format: Format?

    @OptionGroup var store: StoreOptions

    func validate() throws {
        if let operation, !AccessFilter.isOperation(operation) {
            let names = AccessFilter.operationNames
            let near = suggestion(for: operation, among: names)
            let hint = near.isEmpty ? "; there are: \(names.joined(separator: ", "))" : near
            throw ValidationError("--operation needs the name of an operation\(hint)")
        }
        if let slowerThan, !(slowerThan >= 0 && slowerThan < 1e12) {
            throw ValidationError("--slower-than needs milliseconds")
        }
        if let trace, trace.utf8.count != 32 { throw ValidationError("--trace needs 32 hexadecimal digits") }
    }

    func run() async throws {
        var filter = AccessFilter()
        filter.app = app
        filter.operation = operation
        filter.status = status?.range
        filter.range = network?.range
        filter.traceID = trace?.lowercased()
        filter.slowerThanMilliseconds = slowerThan
        let resolved = try store.resolvedConfiguration()
        let format = LogFormat(
            format?.setting ?? resolved.configuration.log.format, onTerminal: StandardOutput.isTerminal)
        try await StoreOptions.exiting { [filter] in
            let client = resolved.controlClient
            do {
                try await cancelledWhenInterrupted { try await Self.follow(client, filter, format) }
            } catch ControlClient.Failure.notRunning {
                throw AdministrationProblem("no server runs on \(resolved.configuration.dataDirectory)")
            }
        }
    }

    private static func follow(_ client: ControlClient, _ filter: AccessFilter, _ format: LogFormat) async throws {
        try await client.tail(filter) { lines in
            var text: [UInt8] = []
            for line in lines {
                switch line {
                case .record(let record): text += record.logRecord().line(in: format)
                case .dropped(let count):
                    try await write(text)
                    text = []
                    let missing = count == 1 ? "1 request is missing" : "\(count) requests are missing"
                    printError("\(missing) here: this reader is too slow")
                case .refused(let reason): throw AdministrationProblem(reason)
                }
            }
            try await write(text)
        }
        printError("the server has ended")
    }

    /// Writes on a thread of its own, because a pipe without a reader blocks.
    private static func write(_ text: [UInt8]) async throws {
        try await blocking { try StandardOutput.write(text) }
    }

    /// The statuses that `--status` selects.
    struct Status: ExpressibleByArgument {
        let range: ClosedRange<Int>

        init?(argument: String) {
            guard let range = AccessFilter.statuses(argument) else { return nil }
            self.range = range
        }
    }

    /// The addresses that `--network` selects.
    struct Network: ExpressibleByArgument {
        let range: AddressRange

        init?(argument: String) {
            guard let range = AddressRange(argument) else { return nil }
            self.range = range
        }
    }

    /// The formats of `--format`.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case json, logfmt, console

        var setting: LogSettings.Format {
            switch self {
            case .json: .json
            case .logfmt: .logfmt
            case .console: .console
            }
        }
    }
}
