/// Begins the traces of requests, and of the server's own tasks.
public final class RequestTracing: Sendable {
    private let identifiers: TraceIdentifiers
    private let recorder: (any SpanRecorder)?
    private let propagation: TracePropagation

    /// Creates a source of traces.
    ///
    /// - Parameters:
    ///   - randomBytes: The source of randomness, which is asked once.
    ///   - recorder: Nil without a tracing system.
    public init(
        randomBytes: (Int) -> [UInt8], recorder: (any SpanRecorder)? = nil, propagation: TracePropagation = .all
    ) {
        identifiers = TraceIdentifiers(key: randomBytes(16))
        self.recorder = recorder
        self.propagation = propagation
    }

    /// Runs `body` as part of a new trace, or of the caller's.
    ///
    /// - Parameters:
    ///   - name: The name of the span until it is renamed.
    ///   - kind: The role of the span.
    ///   - parent: The position of the caller; nil to begin a trace.
    ///   - body: Receives the span where a tracing system records it.
    nonisolated(nonsending) public func run<Value, Failure: Error>(
        _ name: @autoclosure () -> String, _ kind: SpanDescription.Kind, continuing parent: TraceContext? = nil,
        _ body: nonisolated(nonsending) (RequestTrace, (any RecordedSpan)?) async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        guard let recorder else {
            return try await run(RequestTrace(begin(parent), recorder: nil, propagation: propagation), nil, body)
        }
        return try await recorder.withSpan(SpanDescription(name(), kind, parent: parent)) {
            span async throws(Failure) -> Value in
            let context = span.context ?? begin(parent)
            return try await run(RequestTrace(context, recorder: recorder, propagation: propagation), span, body)
        }
    }

    nonisolated(nonsending) private func run<Value, Failure: Error>(
        _ trace: RequestTrace, _ span: (any RecordedSpan)?,
        _ body: nonisolated(nonsending) (RequestTrace, (any RecordedSpan)?) async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await RequestTrace.$current.withValue(trace) {
            do throws(Failure) { return .success(try await body(trace, span)) } catch { return .failure(error) }
        }
        return try result.get()
    }

    /// A trace that begins here is recorded, in the log at least.
    private func begin(_ parent: TraceContext?) -> TraceContext {
        parent?.child(spanID: identifiers.spanID())
            ?? TraceContext(
                traceID: identifiers.traceID(), spanID: identifiers.spanID(), isSampled: true, state: nil)
    }
}
