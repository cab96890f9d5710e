import Foundation
import OstiaryEngine
import OstiaryServerTestSupport
import Synchronization
import Testing

@testable import OstiaryHTTP

@Suite(.timeLimit(.minutes(5))) struct ReadinessCheckTests {
    /// A store that counts its checks, which wait until they are released.
    private actor CheckedStore: StoreMaintenance {
        struct Away: Error {}

        private(set) var checks = 0
        private var isAway = false
        private var isReleased = false
        private var waiting: [CheckedContinuation<Void, Never>] = []

        func checkReadiness() async throws {
            checks += 1
            if !isReleased { await withCheckedContinuation { waiting.append($0) } }
            if isAway { throw Away() }
        }

        func sweep(at now: Date, endedBefore horizon: Date, auditBefore auditHorizon: Date) async throws -> Int { 0 }

        func release() {
            isReleased = true
            for continuation in waiting { continuation.resume() }
            waiting = []
        }

        func set(isAway: Bool) { self.isAway = isAway }
    }

    private final class ManualClock: Sendable {
        private let instant = Mutex(ContinuousClock.now)
        var now: ContinuousClock.Instant { instant.withLock(\.self) }
        func advance(by duration: Duration) { instant.withLock { $0 += duration } }
    }

    private let store = CheckedStore()
    private let clock = ManualClock()
    private let log = CapturedLog()
    private let readiness: ReadinessCheck

    init() {
        readiness = ReadinessCheck(of: store, log: log.logger, now: { [clock] in clock.now })
    }

    @Test func `concurrent callers share one check`() async {
        let answers = await withTaskGroup(of: Bool.self, returning: [Bool].self) { group in
            for _ in 0..<50 { group.addTask { [readiness] in await readiness.isReady() } }
            while await store.checks == 0 { await Task.yield() }
            await store.release()
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers == Array(repeating: true, count: 50))
        #expect(await store.checks == 1)
    }

    @Test func `an outcome is valid for a second`() async {
        await store.release()
        #expect(await readiness.isReady())
        await store.set(isAway: true)
        clock.advance(by: .milliseconds(999))
        #expect(await readiness.isReady())
        #expect(await store.checks == 1)
        clock.advance(by: .milliseconds(1))
        #expect(await readiness.isReady() == false)
        await store.set(isAway: false)
        #expect(await readiness.isReady() == false)
        clock.advance(by: .seconds(1))
        #expect(await readiness.isReady())
        #expect(await store.checks == 3)
    }

    @Test func `only changes are logged`() async {
        await store.release()
        for isAway in [false, true, true, false, false] {
            await store.set(isAway: isAway)
            #expect(await readiness.isReady() != isAway)
            clock.advance(by: .seconds(1))
        }
        #expect(log.records.map { $0.prefix { $0 != "=" } } == ["error not ready error", "notice ready again "])
    }
}
