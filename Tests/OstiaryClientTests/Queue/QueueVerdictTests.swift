import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClient

struct QueueVerdictTests {
    @Test(arguments: [200, 201, 202, 204, 299])
    func `takes every success for the end`(_ status: Int) {
        #expect(QueueVerdict(WireResponse(status: status)) == .sent(WireResponse(status: status)))
    }

    @Test(arguments: [
        ("7", Duration.seconds(7)), ("0", .seconds(0)), ("999999999", .seconds(86_400)), ("-1", nil), ("soon", nil),
        ("Wed, 21 Oct 2026 07:28:00 GMT", nil), ("", nil), ("99999999999999999999", nil),
    ])
    func `reads how long a server asks for`(_ text: String, _ retryAfter: Duration?) {
        let response = WireResponse(status: 503, headers: ["retry-after": text])
        #expect(QueueVerdict(response) == .later(.http(503), retryAfter: retryAfter))
    }

    @Test(arguments: [
        (ClientError.offline, QueueVerdict.unanswered("offline")), (.network(.timedOut), .unanswered("timed_out")),
        (.certificatePinningFailed, .unanswered("pin_mismatch")), (.store(.busy), .unanswered("store_busy")),
        (.temporarilyUnavailable, .later("temporarily_unavailable", retryAfter: nil)),
        (.unauthorized, .later("unauthorized", retryAfter: nil)),
        (.rateLimited(until: TestClock.start + 30), .later("rate_limited", retryAfter: .seconds(30))),
        (.rateLimited(until: .distantFuture), .later("rate_limited", retryAfter: .seconds(86_400))),
        (.rateLimited(until: .distantPast), .later("rate_limited", retryAfter: .zero)),
        (.notSignedIn, .ownerAway("not_signed_in")), (.locked, .ownerAway("locked")),
        (.sessionEnded(.sessionRevoked), .sessionOver), (.network(.unsendable), .dropped(nil, "unsendable")),
        (.network(.tooLarge(maximumBytes: 1)), .dropped(nil, "answer_too_large")),
        (.http(status: 404, message: "x"), .dropped(WireResponse(status: 404), "http_404")),
        (.http(status: 503, message: "x"), .later("http_503", retryAfter: nil)),
    ])
    func `knows which failures pass`(_ error: ClientError, _ verdict: QueueVerdict) {
        #expect(QueueVerdict(error, now: TestClock.start) == verdict)
    }

    @Test func `doubles the wait up to minutes, and takes a random part of it`() {
        #expect(
            (1...10).map { QueuePace.delay(failures: $0, fraction: 1) }
                == [2, 4, 8, 16, 32, 64, 128, 256, 300, 300].map { .seconds($0) })
        #expect(QueuePace.delay(failures: 5, fraction: 0.5) == .seconds(16))
        #expect(QueuePace.delay(failures: 5, fraction: 0) == .seconds(1))
        #expect(QueuePace.delay(failures: .max, fraction: 1) == .seconds(300))
    }

    @Test func `waits as told, an hour at most`() {
        #expect(QueuePace.delay(failures: 1, fraction: 1, retryAfter: .seconds(60)) == .seconds(60))
        #expect(QueuePace.delay(failures: 9, fraction: 1, retryAfter: .seconds(60)) == .seconds(300))
        #expect(QueuePace.delay(failures: 1, fraction: 1, retryAfter: .seconds(86_400)) == .seconds(3600))
    }
}
