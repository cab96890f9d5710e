import ArgumentParser

/// The command `ostiary events`.
struct Events: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events", abstract: "The endpoints that receive events, and the deliveries to them.",
        discussion: """
            Documentation/events.md describes the events and their signatures.

            Example:
              ostiary events create --app vici --url https://crm.example.com/events --type account.created
              ostiary events deliveries --failed
            """,
        subcommands: [
            List.self, Create.self, Enable.self, Disable.self, Delete.self, RotateSecret.self, Test.self,
            Deliveries.self, Redeliver.self,
        ])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Lists the endpoints.", discussion: "Example:\n  ostiary events list --json")

        @Option(help: ArgumentHelp("This app alone.", valueName: "name")) var app: String?

        @OptionGroup var store: StoreOptions

        @Flag(help: "Print a JSON array, one endpoint a line.") var json = false

        func run() async throws {
            let (app, json) = (app, json)
            try await store.administer { control in
                try Events.showEndpoints(try await control.perform(.endpoints(.list), app: app), asJSON: json)
            }
        }
    }

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create", abstract: "Adds an endpoint, and prints the secret that signs its requests.",
            discussion: """
                The secret is not shown again. Without --type the endpoint receives every event of the app.

                Example:
                  ostiary events create --app vici --url https://crm.example.com/events --include email
                """)

        @OptionGroup var options: LocalAppOptions

        @Option(help: "The URL that requests are sent to.") var url: String

        @Option(parsing: .singleValue, help: "A type of event. May be repeated.") var type: [String] = []

        @Option(
            parsing: .singleValue,
            help:
                "A field that events include: email, username, phone_number, full_name, attributes or roles. May be repeated."
        )
        var include: [String] = []

        @Option(help: "A note.") var description: String?

        @Option(help: "The email address that is informed when the endpoint is disabled.") var contact: String?

        @Flag(help: "Print the endpoint as JSON.") var json = false

        func run() async throws {
            let draft = EndpointDraft(
                url: url, types: type, include: include, description: description, contact: contact)
            let (app, json) = (options.app, json)
            try await options.administer { control in
                try Events.showSecret(try await control.perform(.endpoints(.create(draft)), app: app), asJSON: json)
            }
        }
    }

    struct Enable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "enable", abstract: "Queues events for an endpoint again.",
            discussion: "Events of the time before are not sent.\n\nExample:\n  ostiary events enable ep_…")

        @OptionGroup var options: EndpointOptions

        func run() async throws { try await options.perform { .setEnabled(true, $0) } }
    }

    struct Disable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "disable", abstract: "Queues no events for an endpoint. Those that wait fail.",
            discussion: "Example:\n  ostiary events disable ep_…")

        @OptionGroup var options: EndpointOptions

        func run() async throws { try await options.perform { .setEnabled(false, $0) } }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete", abstract: "Removes an endpoint.",
            discussion: "Example:\n  ostiary events delete ep_…")

        @OptionGroup var options: EndpointOptions

        func run() async throws { try await options.perform { .delete($0) } }
    }

    struct RotateSecret: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate-secret", abstract: "Creates a new secret, and prints it.",
            discussion: """
                For 24 hours requests have the signatures of the old secret and of the new one.

                Example:
                  ostiary events rotate-secret ep_…
                """)

        @OptionGroup var options: EndpointOptions

        @Flag(help: "Print the endpoint as JSON.") var json = false

        func run() async throws {
            let (id, json) = (options.id, json)
            try await options.store.administer { control in
                try Events.showSecret(
                    try await control.perform(.endpoints(.rotateSecret(id)), app: nil), asJSON: json)
            }
        }
    }

    struct Test: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "test", abstract: "Sends a test event to an endpoint.",
            discussion: "Example:\n  ostiary events test ep_…")

        @OptionGroup var options: EndpointOptions

        func run() async throws { try await options.perform { .test($0) } }
    }
}

/// An endpoint, and the store that keeps it.
struct EndpointOptions: ParsableArguments {
    @Argument(help: "The endpoint's id.") var id: String

    @OptionGroup var store: StoreOptions

    func perform(_ command: @escaping @Sendable (String) -> EndpointCommand) async throws {
        let id = id
        try await store.administer { control in
            let reply = try await control.perform(.endpoints(command(id)), app: nil)
            guard case .deliveries(let deliveries, _) = reply else { return try StandardOutput.write("done\n") }
            try StandardOutput.write(deliveries.map { "queued delivery \($0.id)\n" }.joined())
        }
    }
}
