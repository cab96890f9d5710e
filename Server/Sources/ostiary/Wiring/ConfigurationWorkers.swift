import Logging
import OstiaryConfiguration
import OstiaryEngine
import ServiceLifecycle

/// The services that work by one configuration: the deliveries of messages and of events, and the schedule of signing keys.
///
/// Those of two configurations can run side by side, as those of two nodes do: each message is claimed by one of them.
struct ConfigurationWorkers {
    private let group: ServiceGroup
    private let ended = AsyncStream.makeStream(of: Void.self)

    init(_ dependencies: ServerDependencies, log: Logger) {
        var services = [
            NamedService("delivery", dependencies.delivery), NamedService("events", dependencies.events),
        ]
        if let days = dependencies.resolved.configuration.signingKeyDays {
            let schedule = SigningKeySchedule(engines: Array(dependencies.engines.values), days: days)
            services.append(NamedService("signing keys", SigningKeyScheduleService(schedule: schedule, log: log)))
        }
        group = ServiceGroup(configuration: .init(services: services, logger: log.quietened))
    }

    func run() async throws {
        defer { ended.continuation.finish() }
        try await group.run()
    }

    /// Lets them finish what they have begun, for as long as at a shutdown, and returns when they have ended.
    func stop() async {
        await group.triggerGracefulShutdown()
        for await _ in ended.stream {}
    }
}
