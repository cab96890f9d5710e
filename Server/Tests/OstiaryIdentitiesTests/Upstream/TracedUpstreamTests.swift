import OstiaryEngine
import Synchronization
import Testing

@testable import OstiaryIdentities

/// The traces of requests to identity providers, which are third parties.
struct TracedUpstreamTests {
    private final class RecordingTransport: UpstreamTransport {
        private let requests = Mutex<[UpstreamRequest]>([])

        func send(_ request: UpstreamRequest) async throws -> UpstreamResponse {
            requests.withLock { $0.append(request) }
            return UpstreamResponse(status: 200)
        }

        func values(_ name: String) -> [String] {
            requests.withLock { $0 }.flatMap(\.headers).filter { $0.name == name }.map(\.value)
        }
    }

    private let transport = RecordingTransport()

    private func send() async throws {
        let client = UpstreamClient(transport: transport, system: .system)
        _ = try await client.send(UpstreamRequest(.get, "https://idp.example.com/token"))
    }

    @Test func `a provider continues the trace of the request, without its state`() async throws {
        let caller = TraceContext(
            traceparent: ["00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"], tracestate: ["vendor=x"])
        let tracing = RequestTracing(randomBytes: SystemDependencies.system.randomBytes)
        let trace = try await tracing.run("request", .server, continuing: caller) { trace, _ in
            try await send()
            return trace
        }
        #expect(transport.values("traceparent") == [trace.context.traceparent])
        #expect(transport.values("tracestate") == [] && trace.duration(of: .upstream) > .zero)
    }

    @Test func `a request outside of every trace has no headers of one`() async throws {
        try await send()
        #expect(transport.values("traceparent") == [])
    }
}
