import Foundation
@testable import OstiaryClient
import OstiaryContracts
import Testing

@Suite struct ClockSkewTests {
    /// 2026-11-21 12:00:00 UTC, a Saturday.
    private static let noon = Date(timeIntervalSince1970: 1_795_262_400)

    private func answer(_ date: String, _ headers: [String: String] = [:]) -> WireResponse {
        WireResponse(status: 401, headers: headers.merging(["date": date]) { $1 })
    }

    private func learnt(
        _ response: WireResponse, deviceAhead seconds: TimeInterval, taking: TimeInterval = 0.2
    ) -> ClockSkew {
        var skew = ClockSkew()
        let now = Self.noon + seconds
        skew.update(from: response, sentAt: now, receivedAt: now + taking)
        return skew
    }

    @Test(arguments: [-86_400.0, -3600, -61, 61, 3600, 86_400, -1_795_000_000])
    func `knows the server's time when its own clock is wrong`(ahead: TimeInterval) {
        let skew = learnt(answer("Sat, 21 Nov 2026 12:00:00 GMT"), deviceAhead: ahead)
        let error = skew.serverTime(at: Self.noon + ahead).timeIntervalSince(Self.noon)
        #expect(abs(error) <= 1)
        #expect(skew.differsNotably(than: ClockSkew()))
    }

    @Test(arguments: [0, 0.5, 0.9])
    func `changes nothing for the second that the header is cut to`(ahead: TimeInterval) {
        #expect(learnt(answer("Sat, 21 Nov 2026 12:00:00 GMT"), deviceAhead: ahead) == ClockSkew())
    }

    @Test func `stays as it is while answers agree with it`() {
        var skew = learnt(answer("Sat, 21 Nov 2026 12:00:00 GMT"), deviceAhead: 3600)
        let before = skew
        let now = Self.noon + 3610.3
        skew.update(from: answer("Sat, 21 Nov 2026 12:00:10 GMT"), sentAt: now, receivedAt: now + 0.1)
        #expect(skew == before)
        #expect(!skew.differsNotably(than: before))
    }

    @Test(arguments: [
        "", "yesterday", "Thu, 01 Jan 1970 00:00:00 GMT", "Sat, 21 Nov 2116 12:00:00 GMT",
        "Sat, 21 Nov 2026 12:00:00 CET",
    ])
    func `believes no absurd date`(date: String) {
        #expect(learnt(answer(date), deviceAhead: 3600) == ClockSkew())
    }

    @Test func `believes no answer out of a cache`() {
        let date = "Sat, 21 Nov 2026 12:00:00 GMT"
        #expect(learnt(answer(date, ["age": "3600"]), deviceAhead: 3600) == ClockSkew())
        #expect(learnt(answer(date, ["age": "0"]), deviceAhead: 3600) != ClockSkew())
    }

    @Test(arguments: [-1.0, 61]) func `believes no answer that took no time or too long`(taking: TimeInterval) {
        let skew = learnt(answer("Sat, 21 Nov 2026 12:00:00 GMT"), deviceAhead: 3600, taking: taking)
        #expect(skew == ClockSkew())
    }

    @Test func `learns nothing from an answer without a date`() {
        #expect(learnt(WireResponse(status: 200), deviceAhead: 3600) == ClockSkew())
    }
}
