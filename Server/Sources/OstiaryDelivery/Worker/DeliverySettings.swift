/// How a worker goes about its work.
package struct DeliverySettings: Hashable, Sendable {
    /// How often the store is asked for messages that nobody announced: those of other nodes, and those that failed.
    package var pollInterval: Duration
    /// How many messages of one channel are on their way at once.
    package var width: Int
    /// How many more of one channel wait in memory.
    package var backlog: Int
    /// How long what is on its way may take after a shutdown began.
    package var shutdownGrace: Duration

    /// How long a claimed message is ours, in seconds.
    let claimSeconds: Double = 120
    /// How long a carrier takes at most, in seconds. No delivery begins with less than that left of its claim.
    let carrierSeconds: Double = 30
    /// How long a message stays away for which its channel has no room, in seconds.
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
