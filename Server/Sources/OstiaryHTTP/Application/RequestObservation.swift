import Logging
package import OstiaryEngine

/// The traces, logs and readers of a server's requests.
package struct RequestObservation: Sendable {
    package var tracing: RequestTracing
    package var accepts: Acceptance
    /// The duration from which a request is logged as slow; nil to log none.
    package var slow: Duration?
    /// The readers of the access log; nil where there can be none.
    package var feed: AccessLogFeed?

    /// The clients whose traces are continued.
    package enum Acceptance: Sendable {
        case trustedProxies, all, none
    }

    package init(
        tracing: RequestTracing = RequestTracing(randomBytes: SystemDependencies.system.randomBytes),
        accepts: Acceptance = .trustedProxies, slow: Duration? = nil, feed: AccessLogFeed? = nil
    ) {
        self.tracing = tracing
        self.accepts = accepts
        self.slow = slow
        self.feed = feed
    }

    /// Returns the position of the caller in its trace; nil if there is none, it is malformed, or it is not accepted.
    func caller(of request: ReceivedRequest, by proxies: ProxyTrust) -> TraceContext? {
        switch accepts {
        case .none: return nil
        case .trustedProxies: guard proxies.isTrusted(request.peer) else { return nil }
        case .all: break
        }
        let parents = request.headers.values(of: "traceparent")
        guard !parents.isEmpty else { return nil }
        return TraceContext(traceparent: parents, tracestate: request.headers.values(of: "tracestate"))
    }

    /// Logs a request, and a slow one again with the durations of its activities.
    func report(_ record: AccessRecord, _ trace: RequestTrace, to log: Logger, _ accessLog: AccessLog) {
        accessLog.write(record)
        feed?.publish(record)
        guard let slow, record.duration >= slow else { return }
        var metadata = record.metadata
        metadata["address"] = nil
        for activity in TimedActivity.allCases {
            let duration = trace.duration(of: activity)
            if duration > .zero {
                metadata["\(activity.rawValue)_ms"] = "\(AccessRecord.milliseconds(duration))"
            }
        }
        log.warning("slow request", metadata: metadata)
    }
}
