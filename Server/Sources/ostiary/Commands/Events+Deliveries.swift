import ArgumentParser

extension Events {
    struct Deliveries: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "deliveries", abstract: "Lists the deliveries of the last week, the newest first.",
            discussion: "Example:\n  ostiary events deliveries --failed --limit 20")

        @Option(help: ArgumentHelp("This app alone.", valueName: "name")) var app: String?

        @Option(help: ArgumentHelp("This endpoint alone.", valueName: "id")) var endpoint: String?

        @Flag(help: "The failed ones alone.") var failed = false

        @Option(help: "At most so many.") var limit = 100

        @OptionGroup var store: StoreOptions

        @Flag(help: "Print a JSON array, one delivery a line.") var json = false

        func validate() throws {
            guard limit > 0 else { throw ValidationError("--limit is at least 1.") }
        }

        func run() async throws {
            let (app, endpoint, failed, limit, json) = (app, endpoint, failed, limit, json)
            try await store.administer { control in
                var found: [DeliveryRecord] = []
                var position: Int?
                repeat {
                    let command = EndpointCommand.deliveries(of: endpoint, failedOnly: failed, before: position)
                    let reply = try await control.perform(.endpoints(command), app: app)
                    guard case .deliveries(let page, let next) = reply else { throw ControlReply.unexpected }
                    found += page
                    position = next
                } while position != nil && found.count < limit
                try Self.show(Array(found.prefix(limit)), asJSON: json)
            }
        }

        private static func show(_ deliveries: [DeliveryRecord], asJSON json: Bool) throws {
            guard !json else {
                var list = JSONList()
                try list.write(deliveries)
                return try list.end()
            }
            var table = Table("ID", "CREATED", "APP", "TYPE", "ACCOUNT", "STATE", "ATTEMPTS", "LAST", "NEXT")
            try StandardOutput.write(
                table.lines(
                    deliveries.map { delivery in
                        let last = delivery.attempts.last
                        return [
                            delivery.id, delivery.createdAt.text, delivery.app, delivery.type, delivery.account,
                            delivery.state, String(delivery.attempts.count),
                            last.map { $0.status.map { "HTTP \($0)" } ?? $0.error ?? "" },
                            delivery.nextAttemptAt?.text,
                        ]
                    }))
        }
    }

    struct Redeliver: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "redeliver", abstract: "Sends the event of a delivery once more.",
            discussion: "It is sent in no order with other events.\n\nExample:\n  ostiary events redeliver 1042")

        @Argument(help: "The delivery's id.") var id: Int

        @OptionGroup var store: StoreOptions

        func run() async throws {
            let id = id
            try await store.administer { control in
                let reply = try await control.perform(.endpoints(.redeliver(id)), app: nil)
                guard case .deliveries(let deliveries, _) = reply else { throw ControlReply.unexpected }
                try StandardOutput.write(deliveries.map { "queued delivery \($0.id)\n" }.joined())
            }
        }
    }

    static func showEndpoints(_ reply: ControlReply, asJSON json: Bool) throws {
        guard case .endpoints(let endpoints) = reply else { throw ControlReply.unexpected }
        guard !json else {
            var list = JSONList()
            try list.write(endpoints)
            return try list.end()
        }
        var table = Table("ID", "APP", "STATE", "URL", "TYPES", "LAST SUCCESS", "FAILING SINCE")
        try StandardOutput.write(
            table.lines(
                endpoints.map { endpoint in
                    [
                        endpoint.id, endpoint.app, endpoint.state, endpoint.url,
                        endpoint.types.isEmpty ? "all" : endpoint.types.joined(separator: " "),
                        endpoint.lastSuccessAt?.text, endpoint.failingSince?.text,
                    ]
                }))
    }

    static func showSecret(_ reply: ControlReply, asJSON json: Bool) throws {
        guard case .endpoints(let endpoints) = reply, let endpoint = endpoints.first else {
            throw ControlReply.unexpected
        }
        guard !json else { return try StandardOutput.write(try JSONList.line(endpoint) + "\n") }
        try StandardOutput.write("endpoint: \(endpoint.id)\nsecret: \(endpoint.secret ?? "")\n")
    }
}
