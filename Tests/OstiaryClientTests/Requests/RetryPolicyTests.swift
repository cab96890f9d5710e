import OstiaryContracts
import Testing

@testable import OstiaryClient

struct RetryPolicyTests {
    private func verdict(
        on outcome: RetryPolicy.Outcome, repeatable: Bool = true, retries: Int = 0, remaining: Duration = .seconds(60),
        chance: Double = 1, policy: RetryPolicy = .standard
    ) -> RetryPolicy.Verdict {
        policy.verdict(on: outcome, repeatable: repeatable, retries: retries, remaining: remaining, chance: chance)
    }

    @Test(arguments: [408, 425, 429, 500, 502, 503, 504])
    func `repeats what may be repeated after a status that passes, and nothing else`(_ status: Int) {
        let outcome = RetryPolicy.Outcome.answered(status: status, retryAfter: nil)
        #expect(verdict(on: outcome) == .retry(after: .milliseconds(500)))
        #expect(verdict(on: outcome, repeatable: false) == .stands)
    }

    @Test(arguments: [200, 201, 204, 302, 400, 401, 403, 404, 405, 409, 413, 422, 501, 505, 511])
    func `lets any other status stand`(_ status: Int) {
        #expect(verdict(on: .answered(status: status, retryAfter: nil)) == .stands)
        #expect(verdict(on: .answered(status: status, retryAfter: .seconds(1))) == .stands)
    }

    @Test(arguments: [429, 503])
    func `repeats any request when the server says when`(_ status: Int) {
        for repeatable in [true, false] {
            let outcome = RetryPolicy.Outcome.answered(status: status, retryAfter: .seconds(7))
            #expect(verdict(on: outcome, repeatable: repeatable, chance: 0.1) == .retry(after: .seconds(7)))
        }
    }

    @Test func `repeats any request whose connection never opened`() {
        for repeatable in [true, false] {
            #expect(verdict(on: .failed(.offline), repeatable: repeatable) == .retry(after: .milliseconds(500)))
        }
    }

    @Test(arguments: [TransportError.connectionLost, .timedOut])
    func `repeats a request that may have arrived only if it may be repeated`(_ error: TransportError) {
        #expect(verdict(on: .failed(error)) == .retry(after: .milliseconds(500)))
        #expect(verdict(on: .failed(error), repeatable: false) == .stands)
    }

    @Test(arguments: [
        TransportError.untrusted, .pinMismatch, .tooLarge(maximumBytes: 1), .notHTTP, .unsendable, .wouldBeProxied,
        .cancelled,
    ])
    func `does not repeat what will fail again`(_ error: TransportError) {
        #expect(verdict(on: .failed(error)) == .stands)
    }

    @Test func `doubles the longest wait up to a maximum`() {
        let waits = (0..<40).map { retries in
            verdict(on: .failed(.offline), retries: retries, policy: RetryPolicy(maximumRetries: 100))
        }
        let expected: [Duration] = [.milliseconds(500), .seconds(1), .seconds(2), .seconds(4), .seconds(8)]
        #expect(Array(waits.prefix(5)) == expected.map { .retry(after: $0) })
        #expect(waits.dropFirst(5).allSatisfy { $0 == .retry(after: .seconds(10)) })
    }

    @Test(arguments: [0, 0.25, 0.5, 0.999])
    func `waits anything from nothing to the longest`(_ chance: Double) {
        let expected = Duration.seconds(1) * chance
        #expect(verdict(on: .failed(.offline), retries: 1, chance: chance) == .retry(after: expected))
    }

    @Test func `gives up after the last repetition`() {
        #expect(verdict(on: .failed(.offline), retries: 2) != .stands)
        #expect(verdict(on: .failed(.offline), retries: 3) == .stands)
        #expect(verdict(on: .failed(.offline), policy: .none) == .stands)
        #expect(verdict(on: .answered(status: 429, retryAfter: .zero), retries: 3) == .stands)
    }

    @Test func `begins no wait that the deadline would cut`() {
        let told = RetryPolicy.Outcome.answered(status: 429, retryAfter: .seconds(7))
        #expect(verdict(on: told, remaining: .seconds(7)) == .stands)
        #expect(verdict(on: told, remaining: .milliseconds(7001)) == .retry(after: .seconds(7)))
        #expect(verdict(on: .failed(.offline), remaining: .zero, chance: 0) == .stands)
        #expect(verdict(on: .failed(.offline), remaining: .seconds(-1), chance: 0) == .stands)
    }

    @Test(arguments: [
        ("GET", true), ("HEAD", true), ("OPTIONS", true), ("PUT", true), ("DELETE", true), ("POST", false),
        ("PATCH", false), ("get", false), ("", false),
    ])
    func `knows which methods may be repeated`(_ method: String, _ expected: Bool) {
        #expect(RetryPolicy.isRepeatable(WireRequest(method: method, path: "/x")) == expected)
    }

    @Test func `takes an idempotency key for a promise`() {
        let key = ["idempotency-key": "1"]
        #expect(RetryPolicy.isRepeatable(WireRequest(method: "POST", path: "/x", headers: key)))
        #expect(!RetryPolicy.isRepeatable(WireRequest(method: "POST", path: "/x", headers: ["idempotency-key": ""])))
    }
}
