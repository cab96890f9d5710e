import OstiaryCore
import OstiaryEngine
import Synchronization

/// Counts the requests in progress, in total, for each app and for each endpoint.
final class RequestSlots: Sendable {
    /// The requests in progress to one endpoint.
    private struct Usage {
        var app: AppName
        var count: Int
        var limit: Int
        var isFull: Bool { count >= limit }
    }

    /// The requests that may begin.
    struct Available {
        /// Their number. No endpoint and no app that has requests in progress would exceed its limit by as many.
        var limit: Int
        var fullEndpoints: Set<EventEndpointID>
        var fullApps: Set<AppName>
    }

    private let width: Int
    private let perApp: Int
    private let perEndpoint: Int
    private let usage = Mutex<[EventEndpointID: Usage]>([:])

    init(width: Int, perApp: Int, perEndpoint: Int) {
        self.width = width
        self.perApp = perApp
        self.perEndpoint = perEndpoint
    }

    var available: Available {
        usage.withLock { usage in
            let counts = usage.values.reduce(into: [AppName: Int]()) { $0[$1.app, default: 0] += $1.count }
            let fullApps = Set(counts.filter { $0.value >= perApp }.keys)
            let others = usage.filter { !fullApps.contains($0.value.app) }
            var limit = min(width - counts.values.reduce(0, +), perApp, perEndpoint)
            for count in counts.values where count < perApp { limit = min(limit, perApp - count) }
            for entry in others.values where !entry.isFull { limit = min(limit, entry.limit - entry.count) }
            return Available(
                limit: max(0, limit), fullEndpoints: Set(others.filter { $0.value.isFull }.keys), fullApps: fullApps)
        }
    }

    /// Counts a request. An endpoint that fails, or has not answered yet, has one at a time: it may keep each until the time
    /// limit.
    ///
    /// - Returns: `false` if the endpoint has as many as it may have. It is full then.
    func enter(_ endpoint: EventEndpoint) -> Bool {
        usage.withLock { usage in
            var entry = usage[endpoint.id] ?? Usage(app: endpoint.app, count: 0, limit: 0)
            entry.limit = endpoint.isHealthy ? perEndpoint : 1
            let mayBegin = !entry.isFull
            if mayBegin { entry.count += 1 }
            usage[endpoint.id] = entry
            return mayBegin
        }
    }

    func leave(_ endpoint: EventEndpointID) {
        usage.withLock { usage in
            usage[endpoint]?.count -= 1
            if let left = usage[endpoint]?.count, left <= 0 { usage[endpoint] = nil }
        }
    }
}
