import Foundation
import Logging
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryServerTestSupport
import Testing

@testable import OstiaryHTTP

/// The traces of requests over a socket, and the report of slow ones.
@Suite(.timeLimit(.minutes(5)))
struct TracedRequestTests {
    private static let caller = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    /// Returns the ids of the trace of one request.
    private func trace(
        _ traceparent: String, accepts: RequestObservation.Acceptance = .trustedProxies,
        proxies: ProxyTrust = ProxyTrust()
    ) async throws -> String {
        let (world, feed) = (try await World([.vici]), AccessLogFeed())
        let record = try await LiveServer.run(world) { application in
            application.connections.proxies = proxies
            application.observation = RequestObservation(accepts: accepts, feed: feed)
        } _: { server in
            try await feed.withReader(AccessFilter()) { reader in
                let answer = try await server.ask("GET", "/vici/api/auth/me", ["traceparent": traceparent])
                #expect(answer.status == 401)
                for await batch in reader.batches {
                    if let record = batch.records.first { return record }
                }
                throw LiveServer.NotRunning()
            }
        }
        let id = try #require(record).traceID
        #expect(TraceContext(traceparent: ["00-\(id)-00f067aa0ba902b7-01"]) != nil)
        return id
    }

    private static func loopback() throws -> ProxyTrust {
        ProxyTrust(proxies: [try #require(AddressRange("127.0.0.1"))])
    }

    @Test func `continues the trace of a trusted proxy`() async throws {
        #expect(try await trace(Self.caller, proxies: Self.loopback()) == "4bf92f3577b34da6a3ce929d0e0e4736")
    }

    @Test func `begins a trace for a client that is no trusted proxy`() async throws {
        #expect(try await trace(Self.caller) != "4bf92f3577b34da6a3ce929d0e0e4736")
    }

    @Test func `continues the trace of any client where the operator accepts that`() async throws {
        #expect(try await trace(Self.caller, accepts: .all) == "4bf92f3577b34da6a3ce929d0e0e4736")
    }

    @Test func `begins a trace for everybody where the operator accepts none`() async throws {
        #expect(
            try await trace(Self.caller, accepts: .none, proxies: Self.loopback())
                != "4bf92f3577b34da6a3ce929d0e0e4736")
    }

    @Test(arguments: ["x", String(repeating: "0", count: 4000), caller.uppercased()])
    func `begins a trace for a malformed traceparent`(traceparent: String) async throws {
        #expect(try await trace(traceparent, accepts: .all) != "4bf92f3577b34da6a3ce929d0e0e4736")
    }

    @Test func `reports a slow request with what took its time`() async throws {
        let world = try await World([.vici])
        try await LiveServer.run(world) {
            $0.observation = RequestObservation(slow: .nanoseconds(1))
        } _: { server in
            _ = try await server.post(
                "/vici/api/auth/login", #"{"email":"ada@example.com","password":"Correct horse 9"}"#)
        }
        let reports = world.log.records.filter { $0.hasPrefix("warning slow request ") }
        let report = try #require(reports.first)
        #expect(reports.count == 1)
        for field in ["app=vici", "operation=signIn", "status=401", "hashing_ms=", "store_ms=", " ms="] {
            #expect(report.contains(field), "\(field)")
        }
        #expect(!report.contains("ada@") && !report.contains("horse") && !report.contains("127.0.0.1"))
    }

    @Test func `reports no request that is fast enough, and none without a limit`() async throws {
        for slow in [Duration.seconds(600), nil] {
            let world = try await World([.vici])
            try await LiveServer.run(world) {
                $0.observation = RequestObservation(slow: slow)
            } _: { server in
                _ = try await server.ask("/vici/api/auth/me")
            }
            #expect(!world.log.text.contains("slow request") && world.log.text.contains("info request "))
        }
    }

    @Test func `the log of a request has the ids of its trace, after its own fields`() async throws {
        let lines = LogLines()
        let tracing = RequestTracing(randomBytes: SystemDependencies.system.randomBytes)
        let context = await tracing.run("request", .server) { trace, _ in
            lines.logger.info("x", metadata: ["app": "vici"])
            lines.logger.info("x", metadata: ["trace_id": "own"])
            return trace.context
        }
        lines.logger.info("x")
        let records = try lines.records.map { try JSON.read($0.dropLast()) }
        #expect(records[0]["trace_id"] == .string(context.traceID) && records[0]["span_id"] == .string(context.spanID))
        #expect(records[1]["trace_id"] == "own" && records[2]["trace_id"] == nil)
    }

    @Test func `the line of a request is the one that its metadata would make`() async throws {
        let lines = LogLines()
        let tracing = RequestTracing(randomBytes: SystemDependencies.system.randomBytes)
        let address = try #require(IPAddress("192.0.2.1"))
        await tracing.run("request", .server) { trace, _ in
            let record = AccessRecord(
                id: "0123456789abcdef", app: "vici", operation: "currentUser", status: 200,
                duration: .microseconds(1250), address: address, context: trace.context)
            AccessLog(lines.logger).write(record)
            lines.logger.info("request", metadata: record.metadata)
        }
        // They differ in their times.
        let records = lines.records.map { $0.drop { $0 != UInt8(ascii: ",") } }
        #expect(records.count == 2 && records[0] == records[1])
        #expect(try JSON.read(lines.records[0].dropLast())["ms"] == "1.25")
    }

    @Test func `writes no line of a request below the level of the log`() throws {
        let lines = LogLines(level: .warning)
        let context = try #require(TraceContext(traceparent: [Self.caller]))
        let address = try #require(IPAddress("192.0.2.1"))
        AccessLog(lines.logger).write(
            AccessRecord(
                id: "0123456789abcdef", app: "vici", operation: "currentUser", status: 200, duration: .zero,
                address: address, context: context))
        #expect(lines.records.isEmpty)
    }
}
