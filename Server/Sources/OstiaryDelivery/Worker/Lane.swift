import Foundation
import OstiaryEngine
import ServiceLifecycle

/// One channel's way out, a few messages wide, so that a slow channel holds up nobody else's messages.
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

    /// False if there is no room.
    func take(_ parcel: Parcel) -> Bool {
        if case .enqueued = continuation.yield(parcel) { true } else { false }
    }

    /// No more parcels will come.
    func close() { continuation.finish() }

    /// Delivers until the lane is closed and empty. What has not begun when a graceful shutdown comes is handed back.
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

/// A message on its way out, with what its fate in the queue depends on.
struct Parcel: Sendable {
    var queued: QueuedMessage
    var message: OutgoingMessage
    var usefulSeconds: Int
    /// Later than this the claim would not outlast a delivery.
    var startBefore: Date
}
