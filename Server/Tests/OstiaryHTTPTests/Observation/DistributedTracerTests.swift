import Foundation
import InMemoryTracing
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import Synchronization
import Testing
import Tracing

@testable import OstiaryHTTP

/// Spans for a tracing system of swift-distributed-tracing.
@Suite(.timeLimit(.minutes(5)))
struct DistributedTracerTests {
    private let tracer = W3CTracer()

    private func tracing() -> RequestTracing {
        RequestTracing(randomBytes: SystemDependencies.system.randomBytes, recorder: DistributedTracer(tracer))
    }

    @Test func `there is no recorder where the process has installed no tracing system`() {
        #expect(DistributedTracer(system: InstrumentationSystem.self) == nil)
    }

    @Test func `a sign-in is a tree of spans: request, operation, store and hash`() async throws {
        let world = try await World([.vici])
        try await LiveServer.run(world) {
            $0.observation = RequestObservation(tracing: tracing())
        } _: { server in
            let answer = try await server.post(
                "/vici/api/auth/login", #"{"email":"ada@example.com","password":"Correct horse 9"}"#)
            #expect(answer.status == 401)
        }
        let spans = tracer.spans.filter { $0.traceID == tracer.spans.first?.traceID }
        let request = try #require(spans.first { $0.kind == .server })
        let operation = try #require(spans.first { $0.operationName == "operation signIn" })
        #expect(request.operationName == "vici signIn" && request.parentSpanID == nil)
        #expect(operation.parentSpanID == request.spanID)
        #expect(spans.contains { $0.operationName == "hash password" && $0.parentSpanID == operation.spanID })
        let stores = spans.filter { $0.operationName.hasPrefix("store ") }
        #expect(!stores.isEmpty && stores.allSatisfy { $0.kind == .client })
        #expect(operation.attributes["error.type"]?.toSpanAttribute() == .string("AuthError"))
        let all = spans.map { span in
            var text = span.operationName
            span.attributes.forEach { text += " \($0)=\($1)" }
            return text + span.errors.map { "\($0)" }.joined()
        }.joined(separator: "\n")
        #expect(all.contains("http.response.status_code"))
        #expect(!all.contains("ada@") && !all.contains("horse") && !all.contains("127.0.0.1"))
    }

    @Test func `the log has the ids of the tracing system, which continues the caller's trace`() async throws {
        let caller = try #require(
            TraceContext(traceparent: ["00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"]))
        let context = await tracing().run("request", .server, continuing: caller) { trace, _ in trace.context }
        let span = try #require(tracer.spans.first)
        #expect(span.traceID == caller.traceID && span.parentSpanID == caller.spanID)
        #expect(context.traceID == span.traceID && context.spanID == span.spanID)
    }

    @Test func `another server continues the span of the request to it`() async throws {
        let headers = await tracing().run("request", .server) { _, _ in
            await RequestTrace.measure(.upstream, "POST hooks.example.com") { RequestTrace.headers(for: .own) }
        }
        let span = try #require(tracer.spans.first { $0.operationName == "POST hooks.example.com" })
        #expect(headers.first?.value == "00-\(span.traceID)-\(span.spanID)-01")
        #expect(span.kind == .client)
    }

    @Test func `ids of another format stay in the tracing system`() async throws {
        let foreign = InMemoryTracer()
        let tracing = RequestTracing(
            randomBytes: SystemDependencies.system.randomBytes, recorder: DistributedTracer(foreign))
        let (context, headers) = await tracing.run("request", .server) { trace, _ in
            (trace.context, RequestTrace.headers(for: .own))
        }
        #expect(headers.map(\.value) == [context.traceparent] && foreign.finishedSpans.count == 1)
    }

    @Test func `an error is recorded by its type alone`() async {
        struct Failure: Error, CustomStringConvertible { var description: String { "Key (email)=(ada@example.com)" } }
        await #expect(throws: Failure.self) {
            try await tracing().run("request", .server) { _, _ in throw Failure() }
        }
        let span = tracer.spans.first
        #expect(span?.status?.code == .error && span?.errors.isEmpty == true)
        #expect(span?.attributes["error.type"]?.toSpanAttribute() == .string("Failure"))
    }
}

/// A tracing system in memory with the headers of W3C Trace Context.
private struct W3CTracer: Tracer {
    private let base = InMemoryTracer(
        idGenerator: .init(nextTraceID: { W3CTracer.hexadecimal(32) }, nextSpanID: { W3CTracer.hexadecimal(16) }))

    var spans: [FinishedInMemorySpan] { base.finishedSpans }

    private static func hexadecimal(_ count: Int) -> String {
        String((0..<count).compactMap { _ in "123456789abcdef".randomElement() })
    }

    func startSpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
    ) -> InMemorySpan {
        base.startSpan(
            operationName, context: context(), ofKind: kind, at: instant(), function: function, file: fileID, line: line
        )
    }

    func forceFlush() { base.forceFlush() }

    func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
    ) where Extract.Carrier == Carrier {
        guard let text = extractor.extract(key: "traceparent", from: carrier),
            let caller = TraceContext(traceparent: [text])
        else { return }
        context.inMemorySpanContext = InMemorySpanContext(
            traceID: caller.traceID, spanID: caller.spanID, parentSpanID: nil)
    }

    func inject<Carrier, Inject: Injector>(
        _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier {
        guard let span = context.inMemorySpanContext else { return }
        injector.inject("00-\(span.traceID)-\(span.spanID)-01", forKey: "traceparent", into: &carrier)
    }
}
