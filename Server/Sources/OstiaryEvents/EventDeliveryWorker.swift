import Foundation
package import Logging
package import OstiaryEngine
import ServiceLifecycle

/// Claims events from the store and sends them to their endpoints, at least once each, those of an account in their order.
///
/// Any number of workers, in any number of processes, may share one store.
package struct EventDeliveryWorker: Service {
    let store: any EventQueue
    let sender: any WebhookSender
    let notices: any NotificationSealer
    let limiter: @Sendable (AppName) -> MessageLimiter?
    let keys: KeyRing
    let system: SystemDependencies
    let settings: EventDeliverySettings
    let clock: any Clock<Duration>
    let logger: Logger
    let tracing: RequestTracing
    private let slots: RequestSlots
    private let wakeUps: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    /// - Parameters:
    ///   - notices: Seals the message to the contact of an endpoint that is disabled.
    ///   - limiter: Returns the caps on the messages of an app; nil for an app that the server does not have.
    ///   - clock: The clock that delays are measured with.
    ///   - tracing: Begins a trace for each request; nil for one without a tracing system.
    package init(
        store: any EventQueue, sender: any WebhookSender, notices: any NotificationSealer,
        limiter: @escaping @Sendable (AppName) -> MessageLimiter?, keys: KeyRing,
        system: SystemDependencies, settings: EventDeliverySettings = EventDeliverySettings(),
        clock: any Clock<Duration> = ContinuousClock(), logger: Logger, tracing: RequestTracing? = nil
    ) {
        self.store = store
        self.sender = sender
        self.notices = notices
        self.limiter = limiter
        self.keys = keys
        self.system = system
        self.settings = settings
        self.clock = clock
        self.logger = logger
        self.tracing = tracing ?? RequestTracing(randomBytes: SystemDependencies.system.randomBytes)
        slots = RequestSlots(
            width: settings.width, perApp: settings.widthPerApp, perEndpoint: settings.widthPerEndpoint)
        (wakeUps, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Looks for events now instead of at the next poll.
    package func wake() { signal.yield() }

    /// Runs until it is cancelled or shut down. May be called once: the signal can be iterated once.
    package func run() async throws {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await work() }
            group.addTask { await poll() }
            group.addTask {
                // Returns early if the group is cancelled.
                try? await gracefulShutdown()
                try? await clock.sleep(for: settings.shutdownGrace)
            }
            // The worker ends after a shutdown, or the grace does.
            await withGracefulShutdownHandler {
                await group.next()
            } onGracefulShutdown: {
                signal.finish()
            }
            group.cancelAll()
        }
    }

    private func poll() async {
        while (try? await clock.sleep(for: settings.pollInterval)) != nil { signal.yield() }
    }

    private func work() async {
        signal.yield()
        var storeFailed = false
        await withDiscardingTaskGroup { group in
            for await _ in wakeUps {
                do {
                    while !isEnding, let claimed = try await claim() {
                        guard !isEnding else {
                            // Otherwise another worker would get them only after the time of the claim.
                            for claim in claimed { await release(claim) }
                            break
                        }
                        for claim in claimed {
                            guard slots.enter(claim.endpoint) else {
                                // Not awaited here: requests to other endpoints begin meanwhile.
                                group.addTask {
                                    await release(claim)
                                    signal.yield()
                                }
                                continue
                            }
                            group.addTask {
                                await deliver(claim)
                                slots.leave(claim.endpoint.id)
                                signal.yield()
                            }
                        }
                    }
                    storeFailed = false
                } catch {
                    // Logged once per outage, or an unavailable store would fill the log.
                    if !storeFailed { logger.error("events cannot be read", metadata: ["error": "\(error)"]) }
                    storeFailed = true
                }
            }
        }
    }

    /// `true` if no further request begins.
    private var isEnding: Bool { Task.isShuttingDownGracefully || Task.isCancelled }

    /// - Returns: Nil if nothing is due, or no request can begin.
    private func claim() async throws -> [ClaimedDelivery]? {
        let available = slots.available
        guard available.limit > 0 else { return nil }
        let now = system.now()
        let claimed = try await store.claimEvents(
            at: now, until: now.addingTimeInterval(settings.claimSeconds), limit: available.limit,
            excluding: available.fullEndpoints, apps: available.fullApps)
        return claimed.isEmpty ? nil : claimed
    }
}
