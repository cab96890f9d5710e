import Instrumentation
package import OstiaryEngine
package import Tracing

/// Records spans with a tracing system of swift-distributed-tracing.
///
/// An error is recorded by the name of its type alone: its description can contain personal data.
package struct DistributedTracer: SpanRecorder {
    private let tracer: any Tracer

    /// Uses the tracing system that the process has installed with `InstrumentationSystem.bootstrap`.
    ///
    /// - Returns: Nil if there is none, so that no span is created.
    package init?(system: InstrumentationSystem.Type) {
        let installed = system.tracer
        guard !(installed is NoOpTracer) else { return nil }
        tracer = installed
    }

    init(_ tracer: any Tracer) { self.tracer = tracer }

    nonisolated(nonsending) package func withSpan<Value, Failure: Error>(
        _ description: SpanDescription,
        _ body: nonisolated(nonsending) (any RecordedSpan) async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        // The work for a request continues its client's trace, or begins one.
        var parent = description.kind == .server ? ServiceContext.topLevel : ServiceContext.current ?? .topLevel
        if let caller = description.parent {
            var headers = ["traceparent": caller.traceparent]
            headers["tracestate"] = caller.state
            tracer.extract(headers, into: &parent, using: Headers())
        }
        let span = start(description, parent)
        defer { span.end() }
        let result: Result<Value, Failure> = await ServiceContext.$current.withValue(span.context) {
            do throws(Failure) {
                return .success(try await body(OpenSpan(span: span, context: context(of: span.context))))
            } catch {
                return .failure(error)
            }
        }
        if case .failure(let error) = result {
            span.attributes["error.type"] = "\(type(of: error as any Error))"
            span.setStatus(SpanStatus(code: .error))
        }
        return try result.get()
    }

    package var propagationHeaders: [(name: String, value: String)] {
        guard let context = ServiceContext.current else { return [] }
        let headers = headers(of: context)
        // A tracing system of another format continues its traces itself; the log's ids continue here.
        guard headers["traceparent"] != nil else { return [] }
        return headers.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    }

    private func start(_ description: SpanDescription, _ parent: ServiceContext) -> any Span {
        let kind: SpanKind =
            switch description.kind {
            case .server: .server
            case .client: .client
            case .internal: .internal
            }
        let span = tracer.startSpan(description.name, context: parent, ofKind: kind)
        for attribute in description.attributes { span.attributes[attribute.name] = attribute.value.written }
        return span
    }

    private func headers(of context: ServiceContext) -> [String: String] {
        var headers: [String: String] = [:]
        tracer.inject(context, into: &headers, using: Headers())
        return headers.filter { name, value in
            !name.isEmpty && name.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ":") }
                && value.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        }
    }

    private func context(of context: ServiceContext) -> TraceContext? {
        let headers = headers(of: context)
        return TraceContext(
            traceparent: [headers["traceparent"]].compactMap(\.self),
            tracestate: [headers["tracestate"]].compactMap(\.self))
    }

    private struct OpenSpan: RecordedSpan {
        let span: any Span
        let context: TraceContext?

        func rename(_ name: String) { span.operationName = name }
        func set(_ attribute: SpanDescription.Attribute) {
            span.attributes[attribute.name] = attribute.value.written
        }
        func fail() { span.setStatus(SpanStatus(code: .error)) }
    }

    /// The headers of a request as a dictionary, with names in lower case.
    private struct Headers: Extractor, Injector {
        func extract(key: String, from headers: [String: String]) -> String? { headers[key.lowercased()] }

        func inject(_ value: String, forKey key: String, into headers: inout [String: String]) {
            headers[key.lowercased()] = value
        }
    }
}

extension SpanDescription.Attribute.Value {
    fileprivate var written: any SpanAttributeConvertible {
        switch self {
        case .text(let text): text
        case .integer(let number): number
        }
    }
}
