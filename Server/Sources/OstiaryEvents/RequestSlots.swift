import OstiaryEngine
import Synchronization

/// Counts the requests in progress, in total and for each endpoint.
final class RequestSlots: Sendable {
    private let width: Int
    private let widthPerEndpoint: Int
    private let counts = Mutex<[EventEndpointID: Int]>([:])

    init(width: Int, widthPerEndpoint: Int) {
        self.width = width
        self.widthPerEndpoint = widthPerEndpoint
    }

    /// The number of requests that may begin now, and the endpoints that have as many as they may have. No endpoint has more
    /// than twice its share, because those that are claimed together may be of one endpoint.
    var available: (limit: Int, full: Set<EventEndpointID>) {
        counts.withLock { counts in
            let free = width - counts.values.reduce(0, +)
            let full = counts.filter { $0.value >= widthPerEndpoint }.keys
            return (max(0, min(free, widthPerEndpoint)), Set(full))
        }
    }

    func enter(_ endpoint: EventEndpointID) { counts.withLock { $0[endpoint, default: 0] += 1 } }

    func leave(_ endpoint: EventEndpointID) {
        counts.withLock { counts in
            let left = (counts[endpoint] ?? 1) - 1
            counts[endpoint] = left > 0 ? left : nil
        }
    }
}
