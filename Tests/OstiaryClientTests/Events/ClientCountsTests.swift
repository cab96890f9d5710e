import OstiaryCore
import Testing

@testable import OstiaryClient

struct ClientCountsTests {
    private static func counts(_ events: [ClientEvent]) -> ClientCounts {
        events.reduce(into: ClientCounts()) { $0.add($1) }
    }

    @Test func `tells how often sign-in succeeds, and which method people choose`() {
        let counts = Self.counts([
            .signIn(method: .password, failure: nil), .signIn(method: .password, failure: nil),
            .signIn(method: .password, failure: FailureCode(.wrongCredentials)), .signIn(method: .social, failure: nil),
        ])
        #expect(counts.signIns[.password]?.successRate == 2.0 / 3)
        #expect(counts.signIns[.password]?.failures == ["wrong_credentials": 1])
        #expect(counts.allSignIns.successes == 3 && counts.allSignIns.successRate == 0.75)
        #expect(counts.signIns.max { $0.value.attempts < $1.value.attempts }?.key == .password)
    }

    @Test func `knows no rate before anything was tried`() {
        #expect(ClientCounts().allSignIns.successRate == nil)
        #expect(ClientCounts().requestErrorRate == nil)
    }

    @Test func `tells how often requests fail`() {
        let counts = Self.counts([
            .request(status: 200, failure: nil), .request(status: 404, failure: nil),
            .request(status: 500, failure: nil),
            .request(status: nil, failure: "offline"),
        ])
        #expect(counts.requestErrorRate == 0.5)
        #expect(counts.answers == [2: 1, 4: 1, 5: 1] && counts.unanswered == ["offline": 1])
    }

    @Test func `follows the queue`() {
        let id = QueuedRequest.ID()
        var counts = Self.counts([.queued(id, depth: 1), .queued(id, depth: 2), .queueSent(id, depth: 1)])
        #expect(counts.queueDepth == 1 && counts.queued == 2 && counts.queueSent == 1)
        counts.add(.queueDropped(id, failure: .http(422), depth: 0))
        counts.add(.queueCleared(count: 4))
        #expect(counts.queueDropped == ["http_422": 1] && counts.queueCleared == 4 && counts.queueDepth == 0)
    }

    @Test func `counts the rest`() {
        let counts = Self.counts([
            .registration(failure: "offline"), .refresh(failure: nil, requests: 2), .adopted, .signOut(.signedOut),
            .signOut(.ended(.sessionRevoked)), .accountSwitched, .storeUnwritable(.busy), .replayed,
            .heldBack(.seconds(2)), .heldBack(.seconds(3)), .pinMismatch, .revocationSent, .storeWritableAgain,
        ])
        #expect(counts.registrations.failures == ["offline": 1] && counts.refreshes.successes == 1)
        #expect(counts.adoptions == 1 && counts.accountSwitches == 1 && counts.storeFailures == 1)
        #expect(counts.signOuts == ["signed_out": 1, "session_revoked": 1])
        #expect(counts.replays == 1 && counts.pinMismatches == 1)
        #expect(counts.heldBack == 2 && counts.timeHeldBack == .seconds(5))
    }
}
