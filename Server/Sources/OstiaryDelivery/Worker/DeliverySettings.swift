/// The settings of a worker.
package struct DeliverySettings: Hashable, Sendable {
    /// The interval of polling the store for messages without a wake-up: those of other nodes, and those to retry.
    package var pollInterval: Duration
    /// The maximum number of concurrent deliveries of one channel.
    package var width: Int
    /// The maximum number of further messages of one channel that wait in memory.
    package var backlog: Int
    /// The time limit of the deliveries in progress after a shutdown began.
    package var shutdownGrace: Duration

    /// The duration of a claim, in seconds.
    let claimSeconds: Double = 120
    /// The maximum duration of a delivery, in seconds. No delivery begins with less than that left of its claim.
    let senderSeconds: Double = 30
    /// The mean delay before a message is claimed again whose channel had no room, in seconds.
    let crowdedSeconds: Double = 2
    let claimLimit = 32

    package init(
        pollInterval: Duration = .seconds(1), width: Int = 8, backlog: Int = 128, shutdownGrace: Duration = .seconds(5)
    ) {
        self.pollInterval = pollInterval
        self.width = width
        self.backlog = backlog
        self.shutdownGrace = shutdownGrace
    }
}
