import Foundation
package import Logging
package import OstiaryEngine
import ServiceLifecycle

/// Claims messages from the outbox and delivers them, at least once each, until their useful life ends.
///
/// Any number of workers, in any number of processes, may share one store.
package struct DeliveryWorker: Service {
    let store: any DeliveryQueue
    let keys: KeyRing
    let surroundings: Surroundings
    let signal: OutboxSignal
    let apps: [AppName: AppPresentation]
    let settings: DeliverySettings
    let clock: any Clock<Duration>
    let logger: Logger
    let schedule = RetrySchedule()
    private let withCarriers: @Sendable (@Sendable (Carriers) async -> Void) async throws -> Void

    /// - Parameters:
    ///   - signal: The same one as in the ``Outbox`` of this process.
    ///   - apps: The presentation of each app of the server.
    ///   - clock: The clock that delays are measured with.
    package init(
        store: any DeliveryQueue, keys: KeyRing, surroundings: Surroundings, signal: OutboxSignal,
        routes: DeliveryRoutes, apps: [AppName: AppPresentation], settings: DeliverySettings = DeliverySettings(),
        clock: any Clock<Duration> = ContinuousClock(), logger: Logger
    ) {
        self.init(
            store: store, keys: keys, surroundings: surroundings, signal: signal, apps: apps, settings: settings,
            clock: clock, logger: logger, withCarriers: { try await routes.withCarriers($0) })
    }

    package init(
        store: any DeliveryQueue, keys: KeyRing, surroundings: Surroundings, signal: OutboxSignal,
        apps: [AppName: AppPresentation], settings: DeliverySettings, clock: any Clock<Duration>, logger: Logger,
        withCarriers: @escaping @Sendable (@Sendable (Carriers) async -> Void) async throws -> Void
    ) {
        self.store = store
        self.keys = keys
        self.surroundings = surroundings
        self.signal = signal
        self.apps = apps
        self.settings = settings
        self.clock = clock
        self.logger = logger
        self.withCarriers = withCarriers
    }

    /// Runs until it is cancelled or shut down. May be called once: the signal can be iterated once.
    package func run() async throws {
        try await withCarriers { carriers in await work(with: carriers) }
    }

    private func work(with carriers: Carriers) async {
        let email = Lane(name: "email", settings: settings)
        let sms = Lane(name: "sms", settings: settings)
        await withTaskGroup(of: Finished.self) { group in
            for (lane, carrier) in [(email, carriers.email), (sms, carriers.sms)] {
                group.addTask {
                    await lane.run {
                        await deliver($0, by: carrier)
                    } handBack: {
                        await handBack($0)
                    }
                    return .lane
                }
            }
            group.addTask {
                await poll()
                return .poll
            }

            await claimUntilShutdown(email: email, sms: sms)
            email.close()
            sms.close()
            group.addTask {
                try? await clock.sleep(for: settings.shutdownGrace)
                return .grace
            }
            var open = 2
            while open > 0, let finished = await group.next(), finished != .grace {
                if finished == .lane { open -= 1 }
            }
            group.cancelAll()
        }
    }

    private enum Finished { case lane, poll, grace }

    private func poll() async {
        while (try? await clock.sleep(for: settings.pollInterval)) != nil { signal.wake() }
    }

    private func claimUntilShutdown(email: Lane, sms: Lane) async {
        signal.wake()
        var storeFailed = false
        await withGracefulShutdownHandler {
            for await _ in signal.wakeUps {
                do {
                    try await claimAll(email: email, sms: sms)
                    storeFailed = false
                } catch {
                    // Logged once per outage, or an unavailable store would fill the log.
                    if !storeFailed { logger.error("the outbox cannot be read", metadata: ["error": "\(error)"]) }
                    storeFailed = true
                }
            }
        } onGracefulShutdown: {
            signal.finish()
        }
    }

    private func claimAll(email: Lane, sms: Lane) async throws {
        var more = true
        while more, !Task.isShuttingDownGracefully, !Task.isCancelled {
            let now = surroundings.now()
            let claimed = try await store.claim(
                at: now, until: now.addingTimeInterval(settings.claimSeconds), limit: settings.claimLimit)
            for message in claimed { await dispatch(message, claimedAt: now, email: email, sms: sms) }
            more = claimed.count == settings.claimLimit
        }
    }
}
