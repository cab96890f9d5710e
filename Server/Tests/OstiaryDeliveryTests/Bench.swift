import Foundation
import Logging
import OstiaryDelivery
import OstiaryEngine
import OstiaryServerTestSupport
import OstiaryTesting

/// A test fixture: an outbox and its worker, with dependencies that the test controls.
struct Bench: Sendable {
    let store: MemoryOutboxStore
    let clock = TestClock()
    let signal = OutboxSignal()
    let logs = CapturedLog()
    let outbox: Outbox
    let system: SystemDependencies

    init(store: MemoryOutboxStore = MemoryOutboxStore(), capacity: Int = 10_000) {
        self.store = store
        system = clock.deliverySystem
        outbox = Outbox(store: store, keys: .test, system: system, signal: signal, capacity: capacity)
    }

    /// Seals and queues a message, as an engine does.
    func send(_ notice: NotificationContent, to recipient: Recipient, app: AppName) async throws {
        try await store.enqueue(outbox.seal(notice, to: recipient, app: app))
        outbox.wake()
    }

    func worker(
        email: any MessageSender = RecordingSender(), sms: any MessageSender = RecordingSender(),
        apps: [AppName: AppPresentation]? = nil, settings: DeliverySettings = DeliverySettings(), keys: KeyRing = .test
    ) throws -> DeliveryWorker {
        DeliveryWorker(
            store: store, keys: keys, system: system, signal: signal,
            apps: try apps ?? [.vici(): .test()], settings: settings, clock: TimerClock(clock), logger: logs.logger,
            senders: MessageSenders(email: email, sms: sms))
    }

    func worker(routes: DeliveryRoutes) throws -> DeliveryWorker {
        DeliveryWorker(
            store: store, keys: .test, system: system, signal: signal, routes: routes,
            apps: [try .vici(): try .test()], clock: TimerClock(clock), logger: logs.logger)
    }

    /// Runs a worker while `body` runs.
    func running(_ worker: DeliveryWorker, _ body: () async throws -> Void) async throws {
        let running = Task { await worker.run() }
        do {
            try await body()
        } catch {
            running.cancel()
            throw error
        }
        running.cancel()
        await running.value
    }

    /// Advances the wall clock, and wakes the worker instead of its timers.
    func pass(seconds: Double) {
        clock.shiftWall(by: .seconds(seconds))
        signal.wake()
    }
}
