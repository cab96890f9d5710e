#if Metrics
import CoreMetrics
import MetricsTestKit
import OstiaryClient
import OstiaryCore
import OstiaryMetrics
import Testing

struct ClientMetricsTests {
    private let kit = TestMetrics()
    private var metrics: ClientMetrics { ClientMetrics(factory: kit) }

    private func total(_ name: String, _ labels: [(String, String)] = []) throws -> Int64 {
        try kit.expectCounter("ostiary_client_\(name)", labels).totalValue
    }

    @Test func `counts sign-ins by method and outcome`() throws {
        metrics.record(.signIn(method: .password, failure: nil))
        metrics.record(.signIn(method: .password, failure: nil))
        metrics.record(.signIn(method: .password, failure: FailureCode(.wrongCredentials)))
        metrics.record(.signIn(method: .identityToken, failure: nil))
        #expect(try total("sign_ins_total", [("method", "password"), ("outcome", "success")]) == 2)
        #expect(try total("sign_ins_total", [("method", "password"), ("outcome", "wrong_credentials")]) == 1)
        #expect(try total("sign_ins_total", [("method", "identity_token"), ("outcome", "success")]) == 1)
    }

    @Test func `counts requests by the class of their status`() throws {
        for status in [200, 204, 401, 503] { metrics.record(.request(status: status, failure: nil)) }
        metrics.record(.request(status: nil, failure: "offline"))
        #expect(try total("requests_total", [("status", "2xx")]) == 2)
        #expect(try total("requests_total", [("status", "4xx")]) == 1)
        #expect(try total("requests_total", [("status", "5xx")]) == 1)
        #expect(try total("requests_total", [("status", "none")]) == 1)
    }

    @Test func `counts refreshes and what they cost`() throws {
        metrics.record(.refresh(failure: nil, requests: 3))
        metrics.record(.refresh(failure: "offline", requests: 1))
        #expect(try total("refreshes_total", [("outcome", "success")]) == 1)
        #expect(try total("refreshes_total", [("outcome", "offline")]) == 1)
        #expect(try total("refresh_requests_total") == 4)
    }

    @Test func `counts sign-outs by reason`() throws {
        metrics.record(.signOut(.signedOut))
        metrics.record(.signOut(.ended(.refreshTokenReused)))
        #expect(try total("sign_outs_total", [("reason", "signed_out")]) == 1)
        #expect(try total("sign_outs_total", [("reason", "refresh_token_reused")]) == 1)
    }

    @Test func `measures how long requests were held back`() throws {
        metrics.record(.heldBack(.milliseconds(1500)))
        #expect(try kit.expectTimer("ostiary_client_held_back_seconds").values == [1_500_000_000])
    }

    @Test func `shows the queue's depth and what became of its requests`() throws {
        let id = QueuedRequest.ID()
        metrics.record(.queued(id, depth: 1))
        metrics.record(.queued(id, depth: 2))
        metrics.record(.queueSent(id, depth: 1))
        metrics.record(.queueDropped(id, failure: .http(422), depth: 0))
        metrics.record(.queueCleared(count: 5))
        #expect(try kit.expectGauge("ostiary_client_queue_depth").values == [1, 2, 1, 0, 0])
        #expect(try total("queue_requests_total", [("outcome", "queued")]) == 2)
        #expect(try total("queue_requests_total", [("outcome", "sent")]) == 1)
        #expect(try total("queue_requests_total", [("outcome", "dropped")]) == 1)
        #expect(try total("queue_requests_total", [("outcome", "cleared")]) == 5)
    }

    @Test func `counts the rest by name`() throws {
        for event: ClientEvent in [
            .registration(failure: nil), .adopted, .accountSwitched, .storeUnwritable(.busy), .replayed, .pinMismatch,
        ] { metrics.record(event) }
        #expect(try total("registrations_total", [("outcome", "success")]) == 1)
        for name in ["adoptions", "account_switches", "store_failures", "replays", "pin_mismatches"] {
            #expect(try total("\(name)_total") == 1, "\(name)")
        }
    }

    @Test func `watches a stream to its end`() async throws {
        let (events, continuation) = AsyncStream.makeStream(of: ClientEvent.self)
        continuation.yield(.replayed)
        continuation.yield(.replayed)
        continuation.finish()
        await metrics.watch(events)
        #expect(try total("replays_total") == 2)
    }

    @Test func `gives no label that grows with people, servers or paths`() throws {
        let canary = "canary-7f3a"
        metrics.record(.signOut(.ended(.rejected(status: 418, message: canary))))
        metrics.record(.signIn(method: .social, failure: FailureCode(.unavailable(incident: canary))))
        metrics.record(.storeUnwritable(.system(path: "/home/\(canary)", code: 13)))
        let labels = kit.counters.flatMap { counter in [counter.label] + counter.dimensions.flatMap { [$0.0, $0.1] } }
        #expect(!labels.isEmpty && labels.allSatisfy { !$0.contains(canary) }, "\(labels)")
        #expect(try total("sign_outs_total", [("reason", "http_418")]) == 1)
    }
}
#endif
