import Foundation
@testable import OstiaryEngine
import Testing

@Suite struct FailureBackoffTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)
    private let waits = FailureBackoff(free: 3, firstSeconds: 6)

    /// Fails `count` times, each time as soon as the previous wait is over.
    private func failing(_ count: Int) -> (record: AttemptRecord?, at: Date) {
        var record: AttemptRecord?
        var time = now
        for _ in 0..<count {
            time = max(time, record?.nextAt ?? time)
            if case .allowed(let next) = waits.verdict(record, now: time) { record = next }
        }
        return (record, time)
    }

    @Test func `PT-03: doubles the wait with every failure, up to a quarter of an hour`() {
        let expected = [0, 0, 6, 12, 24, 48, 96, 192, 384, 768, 900, 900, 900, 900]
        #expect((1...14).map { waits.seconds(after: $0) } == expected)
        #expect(waits.seconds(after: .max) == 900)
    }

    @Test func `PT-03: neither counts nor lengthens the wait for an attempt within it`() {
        let (record, time) = failing(5)
        #expect(waits.verdict(record, now: time) == .wait(seconds: 24))
        #expect(waits.verdict(record, now: time + 23.5) == .wait(seconds: 1))
        guard case .allowed(let next) = waits.verdict(record, now: time + 24) else {
            Issue.record("refused after the wait")
            return
        }
        #expect(next.failures == 6)
    }

    @Test func `PT-03: lets attempts at once pass that come in another order than their clocks were read`() {
        var record: AttemptRecord?
        for earlier in [0, 0.002, 0.001] {
            guard case .allowed(let next) = waits.verdict(record, now: now - earlier) else {
                Issue.record("refused before the first wait")
                return
            }
            record = next
        }
        #expect(record?.failures == 3)
        #expect(waits.verdict(record, now: now) == .wait(seconds: 6))
    }

    @Test func `forgets failures after a day without one`() {
        let (record, time) = failing(12)
        guard case .allowed(let next) = waits.verdict(record, now: time + 86_400) else {
            Issue.record("refused after a day")
            return
        }
        #expect(next.failures == 1)
    }

    @Test func `makes nobody wait longer than the longest wait because a clock jumped back`() {
        let (record, time) = failing(8)
        guard case .allowed = waits.verdict(record, now: time - 3600) else {
            Issue.record("waits for the clock")
            return
        }
    }
}
