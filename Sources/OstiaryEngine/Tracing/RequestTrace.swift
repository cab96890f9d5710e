import Synchronization

/// The trace of one request, or of one task of the server, and the durations of its activities.
///
/// Tasks inherit it. Activities overlap, so that their sum can exceed the duration of the whole.
public final class RequestTrace: Sendable {
    /// The trace of the current task; nil where none has begun.
    @TaskLocal public static var current: RequestTrace?

    /// The position of the request in its trace.
    public let context: TraceContext
    let recorder: (any SpanRecorder)?
    private let propagation: TracePropagation
    private let store = Atomic<Int>(0)
    private let upstream = Atomic<Int>(0)
    private let hashing = Atomic<Int>(0)
    private let queue = Atomic<Int>(0)
    private let body = Atomic<Int>(0)

    init(_ context: TraceContext, recorder: (any SpanRecorder)?, propagation: TracePropagation) {
        self.context = context
        self.recorder = recorder
        self.propagation = propagation
    }

    // MARK: Durations

    /// Adds to the duration of an activity.
    public func add(_ duration: Duration, to activity: TimedActivity) {
        let (seconds, attoseconds) = duration.components
        let nanoseconds = Int(seconds) &* 1_000_000_000 &+ Int(attoseconds / 1_000_000_000)
        switch activity {
        case .store: store.wrappingAdd(nanoseconds, ordering: .relaxed)
        case .upstream: upstream.wrappingAdd(nanoseconds, ordering: .relaxed)
        case .hashing: hashing.wrappingAdd(nanoseconds, ordering: .relaxed)
        case .queue: queue.wrappingAdd(nanoseconds, ordering: .relaxed)
        case .body: body.wrappingAdd(nanoseconds, ordering: .relaxed)
        }
    }

    /// Returns the duration of an activity until now.
    public func duration(of activity: TimedActivity) -> Duration {
        let nanoseconds =
            switch activity {
            case .store: store.load(ordering: .relaxed)
            case .upstream: upstream.load(ordering: .relaxed)
            case .hashing: hashing.load(ordering: .relaxed)
            case .queue: queue.load(ordering: .relaxed)
            case .body: body.load(ordering: .relaxed)
            }
        return .nanoseconds(nanoseconds)
    }

    /// Measures `body` as an activity of the current trace, and records it as a span where a tracing system is there.
    ///
    /// - Parameters:
    ///   - name: The name of the span.
    ///   - attributes: The attributes of the span.
    nonisolated(nonsending) public static func measure<Value, Failure: Error>(
        _ activity: TimedActivity, _ name: @autoclosure () -> String,
        attributes: @autoclosure () -> [SpanDescription.Attribute] = [],
        _ body: nonisolated(nonsending) () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        guard let trace = current else { return try await body() }
        let start = ContinuousClock.now
        defer { trace.add(start.duration(to: .now), to: activity) }
        guard let recorder = trace.recorder else { return try await body() }
        let kind: SpanDescription.Kind =
            switch activity {
            case .store, .upstream: .client
            case .hashing, .queue, .body: .internal
            }
        return try await recorder.withSpan(SpanDescription(name(), kind, attributes: attributes())) {
            _ async throws(Failure) -> Value in try await body()
        }
    }

    /// Records `body` as a span where a tracing system is there.
    nonisolated(nonsending) public static func span<Value, Failure: Error>(
        _ name: @autoclosure () -> String, _ body: nonisolated(nonsending) () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        guard let recorder = current?.recorder else { return try await body() }
        return try await recorder.withSpan(SpanDescription(name(), .internal)) {
            _ async throws(Failure) -> Value in try await body()
        }
    }

    // MARK: Propagation

    /// A server that a request is sent to.
    public enum Destination: Sendable {
        /// A server of the operator.
        case own
        /// An identity provider or another service of a third party.
        case thirdParty
    }

    /// Returns the headers by which a server continues the current trace. A third party never receives `tracestate`,
    /// which can describe the operator's own systems.
    public static func headers(for destination: Destination) -> [(name: String, value: String)] {
        guard let trace = current, trace.propagation.includes(destination) else { return [] }
        let recorded = trace.recorder?.propagationHeaders ?? []
        let headers =
            recorded.isEmpty
            ? [("traceparent", trace.context.traceparent)] + (trace.context.state.map { [("tracestate", $0)] } ?? [])
            : recorded
        return destination == .own ? headers : headers.filter { $0.name.utf8.elementsEqual("traceparent".utf8) }
    }
}

/// The servers that traces are continued at.
public enum TracePropagation: String, CaseIterable, Sendable {
    /// Every server that requests are sent to.
    case all
    /// The operator's own: hooks, endpoints for events, the webhook for SMS.
    case own
    /// No server.
    case none

    func includes(_ destination: RequestTrace.Destination) -> Bool {
        switch self {
        case .all: true
        case .own: destination == .own
        case .none: false
        }
    }
}
