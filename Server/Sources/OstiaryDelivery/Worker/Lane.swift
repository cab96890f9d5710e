import Foundation
import OstiaryEngine
import ServiceLifecycle

/// The queue of one channel with bounded concurrency, so that a slow channel does not delay the messages of another.
struct Lane: Sendable {
    let name: String
    private let parcels: AsyncStream<Parcel>
    private let continuation: AsyncStream<Parcel>.Continuation
    private let width: Int

    init(name: String, settings: DeliverySettings) {
        self.name = name
        width = settings.width
        (parcels, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(settings.backlog))
    }

    /// Enqueues a parcel; returns `false` if there is no room.
    func take(_ parcel: Parcel) -> Bool {
        if case .enqueued = continuation.yield(parcel) { true } else { false }
    }

    /// Closes the queue to further parcels.
    func close() { continuation.finish() }

    /// Delivers until the lane is closed and empty. After a graceful shutdown began, waiting parcels are handed back.
    func run(
        deliver: @escaping @Sendable (Parcel) async -> Void, handBack: @Sendable (Parcel) async -> Void
    ) async {
        await withTaskGroup(of: Void.self) { group in
            var running = 0
            for await parcel in parcels {
                if running == width {
                    await group.next()
                    running -= 1
                }
                if Task.isShuttingDownGracefully {
                    await handBack(parcel)
                } else {
                    group.addTask { await deliver(parcel) }
                    running += 1
                }
            }
        }
    }
}

/// A claimed message, with the limits of its delivery.
struct Parcel: Sendable {
    var queued: QueuedMessage
    var message: OutgoingMessage
    var usefulSeconds: Int
    /// The time after which the claim would not outlast a delivery.
    var startBefore: Date
}
