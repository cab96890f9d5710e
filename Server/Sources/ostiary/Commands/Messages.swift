import ArgumentParser
import OstiaryEngine

/// The command `ostiary messages`.
struct Messages: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "messages", abstract: "The emails and text messages that wait, were sent or failed.",
        discussion: """
            Recipients are masked, and the text of a message is not shown. Messages are listed for 30 days.

            Example:
              ostiary messages list --state failed
              ostiary messages retry 5f0c9f7e7b1d4f0e9b0a2f8f6f3f9d11
            """,
        subcommands: [List.self, Retry.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Lists messages, the newest first.",
            discussion: "Example:\n  ostiary messages list --app vici --state queued --json")

        @Option(help: ArgumentHelp("This app alone.", valueName: "name")) var app: String?

        @OptionGroup var store: StoreOptions

        @Option(help: ArgumentHelp("Only messages in this state: queued, sent or failed.", valueName: "state"))
        var state: String?

        @Option(help: ArgumentHelp("The maximum number of messages, at most 500.", valueName: "count"))
        var limit = 100

        @Flag(help: "Print a JSON array, one message a line.") var json = false

        func validate() throws {
            guard (1...ControlCommand.pageSize).contains(limit) else {
                throw ValidationError("--limit is 1 to \(ControlCommand.pageSize).")
            }
        }

        func run() async throws {
            let (app, json) = (app, json)
            let command = ControlCommand.listMessages(state: state, limit: limit)
            try await store.administer { control in
                guard case .messages(let messages) = try await control.perform(command, app: app) else {
                    throw ControlReply.unexpected
                }
                guard !json else {
                    var list = JSONList()
                    try list.write(messages)
                    return try list.end()
                }
                var table = Table(
                    "ID", "APP", "CHANNEL", "KIND", "TO", "STATE", "ATTEMPTS", "CREATED", "NEXT ATTEMPT", "LAST ERROR")
                try StandardOutput.write(table.lines(messages.map(Self.row)))
            }
        }

        private static func row(_ message: MessageLine) -> [String?] {
            [
                message.id, message.app, message.channel, message.kind, message.recipient, message.state,
                String(message.attempts), message.createdAt.text, message.nextAttemptAt?.text, message.lastError,
            ]
        }
    }

    struct Retry: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "retry",
            abstract: "Returns a failed message to the queue, while it is of use to its recipient.",
            discussion: "Example:\n  ostiary messages retry 5f0c9f7e7b1d4f0e9b0a2f8f6f3f9d11")

        @OptionGroup var store: StoreOptions

        @Argument(help: ArgumentHelp("The message's id.", valueName: "message-id")) var message: String

        func run() async throws {
            let message = message
            try await store.administer { control in
                guard case .done = try await control.perform(.retryMessage(message), app: nil) else {
                    throw ControlReply.unexpected
                }
                try StandardOutput.write("queued \(TerminalText.escaped(message))\n")
            }
        }
    }
}
