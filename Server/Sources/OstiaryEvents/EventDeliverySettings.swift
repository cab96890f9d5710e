/// The settings of an event worker.
package struct EventDeliverySettings: Hashable, Sendable {
    /// The interval of polling the store: events of other nodes, and those to retry.
    package var pollInterval: Duration
    /// The maximum number of concurrent requests.
    package var width: Int
    /// The maximum number of concurrent requests to the endpoints of one app, so that they do not delay those of other apps.
    package var widthPerApp: Int
    /// The maximum number of concurrent requests to one endpoint, so that a slow one does not delay the others.
    package var widthPerEndpoint: Int
    /// The time limit of a request.
    package var timeout: Duration
    /// The time limit of the requests in progress after a shutdown began.
    package var shutdownGrace: Duration

    /// The duration of a claim, in seconds: longer than a request.
    let claimSeconds: Double = 60

    package init(
        pollInterval: Duration = .seconds(1), width: Int = 64, widthPerApp: Int = 16, widthPerEndpoint: Int = 8,
        timeout: Duration = .seconds(10), shutdownGrace: Duration = .seconds(5)
    ) {
        self.pollInterval = pollInterval
        self.width = width
        self.widthPerApp = widthPerApp
        self.widthPerEndpoint = widthPerEndpoint
        self.timeout = timeout
        self.shutdownGrace = shutdownGrace
    }
}
