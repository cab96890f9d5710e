import Testing

@testable import OstiaryClient

/// The one rule about when a token is used, replaced meanwhile, or replaced first.
struct FreshnessTests {
    struct Row: CustomTestStringConvertible {
        let remaining: Int?
        let lifetime: Int
        let lead: Int
        let verdict: Freshness
        var testDescription: String { "\(remaining.map { "\($0)" } ?? "?") of \(lifetime) s, lead \(lead): \(verdict)" }
    }

    @Test(arguments: [
        Row(remaining: 3600, lifetime: 3600, lead: 60, verdict: .use),
        Row(remaining: 61, lifetime: 3600, lead: 60, verdict: .use),
        Row(remaining: 60, lifetime: 3600, lead: 60, verdict: .useAndRefresh),
        Row(remaining: 11, lifetime: 3600, lead: 60, verdict: .useAndRefresh),
        Row(remaining: 10, lifetime: 3600, lead: 60, verdict: .refresh),
        Row(remaining: 0, lifetime: 3600, lead: 60, verdict: .refresh),
        Row(remaining: -86_400, lifetime: 3600, lead: 60, verdict: .refresh),
        // barqnet's five minutes, and a token that lives for one.
        Row(remaining: 301, lifetime: 3600, lead: 300, verdict: .use),
        Row(remaining: 300, lifetime: 3600, lead: 300, verdict: .useAndRefresh),
        Row(remaining: 31, lifetime: 60, lead: 300, verdict: .use),
        Row(remaining: 30, lifetime: 60, lead: 300, verdict: .useAndRefresh),
        // A token that lives for less than the minimum is not always due.
        Row(remaining: 5, lifetime: 8, lead: 60, verdict: .use),
        Row(remaining: 4, lifetime: 8, lead: 60, verdict: .refresh),
        Row(remaining: 0, lifetime: 0, lead: 60, verdict: .refresh),
        Row(remaining: nil, lifetime: 0, lead: 60, verdict: .use),
    ])
    func `a token is used, replaced meanwhile, or replaced first`(_ row: Row) {
        let freshness = Freshness(
            remaining: row.remaining.map { .seconds($0) }, lifetime: .seconds(row.lifetime), lead: .seconds(row.lead))
        #expect(freshness == row.verdict)
    }
}

struct RefreshBackoffTests {
    @Test func `waits longer with every failure, up to five minutes`() {
        var backoff = RefreshBackoff()
        var waits: [Duration] = []
        for _ in 0..<9 {
            backoff.fail(at: .zero, fraction: 1)
            waits.append(backoff.notBefore ?? .zero)
        }
        #expect(waits == [5, 10, 20, 40, 80, 160, 300, 300, 300].map { .seconds($0) })
    }

    @Test func `chance takes up to half of a wait`() {
        var backoff = RefreshBackoff()
        backoff.fail(at: .zero, fraction: 0)
        #expect(backoff.notBefore == .seconds(2.5))
    }

    @Test(arguments: [(0, 1), (-5, 1), (20, 20), (1_000_000, 300)])
    func `waits as the server asks, within reason`(_ asked: Int, _ seconds: Int) {
        var backoff = RefreshBackoff()
        backoff.wait(asked, at: .seconds(7))
        #expect(backoff.notBefore == .seconds(7 + seconds))
        #expect(!backoff.allows(at: .seconds(6 + seconds)))
        #expect(backoff.allows(at: .seconds(7 + seconds)))
    }

    @Test func `five in thirty seconds, and then one for each that is older`() {
        var limit = RefreshLimit()
        let taken = (0..<7).map { limit.take(at: .seconds($0)) }
        #expect(taken == [true, true, true, true, true, false, false])
        let later = [29, 30, 30, 31, 31].map { limit.take(at: .seconds($0)) }
        #expect(later == [false, true, false, true, false])
    }
}
