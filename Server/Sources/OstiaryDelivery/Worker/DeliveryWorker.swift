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
    let system: SystemDependencies
    let signal: OutboxSignal
    let apps: [AppName: AppPresentation]
    let settings: DeliverySettings
    let clock: any Clock<Duration>
    let logger: Logger
    let tracing: RequestTracing
    let schedule = RetrySchedule()
    /// The messages that were sent or given up.
    package let counts: DeliveryCounts
    private let senders: MessageSenders

    /// - Parameters:
    ///   - signal: The same one as in the ``Outbox`` of this process.
    ///   - apps: The presentation of each app of the server.
    ///   - clock: The clock that delays are measured with.
    ///   - counts: The counts that the results are added to.
    ///   - tracing: Continues the traces of requests with their messages; nil for one without a tracing system.
    package init(
        store: any DeliveryQueue, keys: KeyRing, system: SystemDependencies, signal: OutboxSignal,
        routes: DeliveryRoutes, apps: [AppName: AppPresentation], settings: DeliverySettings = DeliverySettings(),
        clock: any Clock<Duration> = ContinuousClock(), counts: DeliveryCounts = DeliveryCounts(), logger: Logger,
        tracing: RequestTracing? = nil
    ) {
        self.init(
            store: store, keys: keys, system: system, signal: signal, apps: apps, settings: settings,
            clock: clock, counts: counts, logger: logger, tracing: tracing, senders: routes.senders)
    }

    package init(
        store: any DeliveryQueue, keys: KeyRing, system: SystemDependencies, signal: OutboxSignal,
        apps: [AppName: AppPresentation], settings: DeliverySettings, clock: any Clock<Duration>,
        counts: DeliveryCounts = DeliveryCounts(), logger: Logger, tracing: RequestTracing? = nil,
        senders: MessageSenders
    ) {
        self.store = store
        self.keys = keys
        self.system = system
        self.signal = signal
        self.apps = apps
        self.settings = settings
        self.clock = clock
        self.counts = counts
        self.logger = logger
        self.tracing = tracing ?? RequestTracing(randomBytes: SystemDependencies.system.randomBytes)
        self.senders = senders
    }

    /// Runs until it is cancelled or shut down. May be called once: the signal can be iterated once.
    package func run() async {
        let email = DeliveryChannelWorker(name: "email", settings: settings)
        let sms = DeliveryChannelWorker(name: "sms", settings: settings)
        await withTaskGroup(of: Finished.self) { group in
            for (worker, sender) in [(email, senders.email), (sms, senders.sms)] {
                group.addTask {
                    await worker.run {
                        await deliver($0, by: sender)
                    } handBack: {
                        await handBack($0)
                    }
                    return .worker
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
                if finished == .worker { open -= 1 }
            }
            group.cancelAll()
        }
    }

    private enum Finished { case worker, poll, grace }

    private func poll() async {
        while (try? await clock.sleep(for: settings.pollInterval)) != nil { signal.wake() }
    }

    private func claimUntilShutdown(email: DeliveryChannelWorker, sms: DeliveryChannelWorker) async {
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

    private func claimAll(email: DeliveryChannelWorker, sms: DeliveryChannelWorker) async throws {
        var more = true
        while more, !Task.isShuttingDownGracefully, !Task.isCancelled {
            let now = system.now()
            let claimed = try await store.claim(
                at: now, until: now.addingTimeInterval(settings.claimSeconds), limit: settings.claimLimit)
            for message in claimed { await dispatch(message, claimedAt: now, email: email, sms: sms) }
            more = claimed.count == settings.claimLimit
        }
    }
}
