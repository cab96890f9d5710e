import Foundation
import OstiaryEngine
import Testing

@Suite struct ReplayPolicyTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    @Test(
        arguments: [
            (nil, ReplayPolicy.Verdict.answerAgain), (0, .answerAgain), (29.999, .answerAgain), (30, .theft),
            (1e9, .theft),
            // A clock that jumped back.
            (-3600, .answerAgain),
        ] as [(Double?, ReplayPolicy.Verdict)])
    func `answers again until the window after the successor's first use is over`(
        secondsAgo: Double?, verdict: ReplayPolicy.Verdict
    ) {
        let used = secondsAgo.map { now.addingTimeInterval(-$0) }
        #expect(ReplayPolicy(window: 30).verdict(successorFirstUsedAt: used, now: now) == verdict)
        #expect(ReplayPolicy(window: 30, isStrict: true).verdict(successorFirstUsedAt: used, now: now) == .theft)
    }

    @Test func `takes a use that the store forgot for one long ago`() {
        #expect(ReplayPolicy().verdict(successorFirstUsedAt: .distantPast, now: now) == .theft)
    }
}
