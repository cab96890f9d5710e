import Foundation
import OstiaryEngine
import ServiceLifecycle

/// The queue of one channel with bounded concurrency, so that a slow channel does not delay the messages of another.
struct DeliveryChannelWorker: Sendable {
    let name: String
    private let jobs: AsyncStream<DeliveryJob>
    private let continuation: AsyncStream<DeliveryJob>.Continuation
    private let width: Int

    init(name: String, settings: DeliverySettings) {
        self.name = name
        width = settings.width
        (jobs, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(settings.backlog))
    }

    /// Enqueues a job; returns `false` if the queue is full.
    func take(_ job: DeliveryJob) -> Bool {
        if case .enqueued = continuation.yield(job) { true } else { false }
    }

    /// Closes the queue to further jobs.
    func close() { continuation.finish() }

    /// Delivers until the queue is closed and empty. Jobs that still wait when a graceful shutdown begins are released.
    func run(
        deliver: @escaping @Sendable (DeliveryJob) async -> Void, handBack: @Sendable (DeliveryJob) async -> Void
    ) async {
        await withTaskGroup(of: Void.self) { group in
            var running = 0
            for await job in jobs {
                if running == width {
                    await group.next()
                    running -= 1
                }
                if Task.isShuttingDownGracefully {
                    await handBack(job)
                } else {
                    group.addTask { await deliver(job) }
                    running += 1
                }
            }
        }
    }
}

/// A claimed message, with the limits of its delivery.
struct DeliveryJob: Sendable {
    var queued: QueuedMessage
    var message: OutgoingMessage
    var payload: NotificationPayload
    /// The time after which the claim would not outlast a delivery.
    var startBefore: Date
}
