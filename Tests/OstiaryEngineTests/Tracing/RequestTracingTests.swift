import Foundation
import OstiaryEngine
import Testing

/// The traces of requests without a tracing system.
struct RequestTracingTests {
    private func tracing(_ propagation: TracePropagation = .all) -> RequestTracing {
        RequestTracing(randomBytes: SystemDependencies.system.randomBytes, propagation: propagation)
    }

    private static let caller = TraceContext(
        traceparent: ["00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00"], tracestate: ["vendor=x"])

    @Test func `begins a trace with ids of its own`() async {
        let tracing = tracing()
        var seen: Set<String> = []
        for _ in 0..<100 {
            await tracing.run("request", .server) { trace, span in
                #expect(TraceContext(traceparent: [trace.context.traceparent]) == trace.context)
                #expect(trace.context.isSampled && span == nil)
                #expect(RequestTrace.current === trace)
                seen.insert(trace.context.traceID)
                seen.insert(trace.context.spanID)
            }
        }
        #expect(seen.count == 200 && RequestTrace.current == nil)
    }

    @Test func `continues the trace of a caller under a span of its own`() async {
        await tracing().run("request", .server, continuing: Self.caller) { trace, _ in
            #expect(trace.context.traceID == "4bf92f3577b34da6a3ce929d0e0e4736")
            #expect(trace.context.spanID != "00f067aa0ba902b7" && !trace.context.isSampled)
            #expect(trace.context.state == "vendor=x")
        }
    }

    @Test func `passes an error on, and ends the trace`() async {
        struct Failure: Error {}
        await #expect(throws: Failure.self) {
            try await tracing().run("request", .server) { _, _ in throw Failure() }
        }
        #expect(RequestTrace.current == nil)
    }

    @Test func `adds up the durations of activities, those of child tasks among them`() async {
        await tracing().run("request", .server) { trace, _ in
            trace.add(.milliseconds(3), to: .store)
            await withTaskGroup { group in
                for _ in 0..<4 { group.addTask { RequestTrace.current?.add(.milliseconds(2), to: .store) } }
            }
            #expect(trace.duration(of: .store) == .milliseconds(11) && trace.duration(of: .upstream) == .zero)
            let value = await RequestTrace.measure(.upstream, "span") { 7 }
            #expect(value == 7 && trace.duration(of: .upstream) > .zero)
        }
    }

    @Test func `measures nothing where no trace has begun`() async {
        #expect(await RequestTrace.measure(.store, "span") { 7 } == 7)
        #expect(RequestTrace.headers(for: .own).isEmpty)
    }

    @Test func `a server of the operator receives the trace and its state`() async {
        await tracing(.own).run("request", .server, continuing: Self.caller) { trace, _ in
            let headers = RequestTrace.headers(for: .own)
            #expect(headers.map(\.name) == ["traceparent", "tracestate"])
            #expect(headers.map(\.value) == [trace.context.traceparent, "vendor=x"])
        }
    }

    @Test(arguments: [(TracePropagation.all, ["traceparent"]), (.own, []), (.none, [])])
    func `a third party receives no state, and nothing if the operator says so`(
        propagation: TracePropagation, names: [String]
    ) async {
        await tracing(propagation).run("request", .server, continuing: Self.caller) { _, _ in
            #expect(RequestTrace.headers(for: .thirdParty).map(\.name) == names)
        }
    }
}
