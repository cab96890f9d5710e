import Dispatch
import Foundation
import OstiaryCore
import OstiaryEngine
import Synchronization
import Testing

@testable import OstiaryIdentities

@Suite(.timeLimit(.minutes(5))) struct BcryptPoolTests {
    @Test(arguments: bcryptPlans) func `takes on what the queue holds and refuses the rest at once`(
        plan: BcryptPlan
    ) async throws {
        let pool = try BcryptPool(threads: 1, queueLimit: 2, plan: { plan })
        let hasher = try makeHasher(pool: pool)
        let gate = Gate()
        #expect(pool.add(job { gate.wait() }))
        #expect(pool.add(job {}))
        #expect(pool.add(job {}))

        #expect(!pool.add(job {}))
        await #expect(throws: AuthError.busy(retryAfterSeconds: 1)) { try await hasher.hash(Secret("password")) }
        await #expect(throws: AuthError.busy(retryAfterSeconds: 1)) {
            try await hasher.check(Secret("password"), against: nil)
        }
        gate.open()
    }

    @Test(arguments: bcryptPlans)
    func `refuses at once what would wait too long, by its cost, and takes it when it would not`(
        plan: BcryptPlan
    ) async throws {
        let pool = try BcryptPool(threads: 1, longestWait: .milliseconds(50), plan: { plan })
        let (gate, begun, drained) = (Gate(), AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream())
        #expect(
            pool.add(
                job {
                    begun.continuation.finish()
                    gate.wait()
                }))
        for await _ in begun.stream {}
        // A hash of cost 10 is expected to take 62 ms.
        #expect(pool.add(job(cost: 10) { drained.continuation.finish() }))
        #expect(!pool.add(job {}))
        gate.open()
        for await _ in drained.stream {}
        // The thread may not have released its last job yet.
        while !pool.add(job {}) { await Task.yield() }
    }

    @Test(arguments: bcryptPlans) func `refuses what has waited too long, whatever was expected`(
        plan: BcryptPlan
    ) async throws {
        let now = Mutex(ContinuousClock.now)
        let pool = try BcryptPool(
            threads: 1, longestWait: .milliseconds(50), now: { now.withLock { $0 } }, plan: { plan })
        let (gate, begun) = (Gate(), AsyncStream<Void>.makeStream())
        #expect(
            pool.add(
                job {
                    begun.continuation.finish()
                    gate.wait()
                }))
        for await _ in begun.stream {}
        let late = AsyncStream<Void>.makeStream()
        let waits = BcryptJob(
            password: Secret(""), setting: BcryptWorker.setting(cost: 4),
            completion: { _ in Issue.record("was computed") },
            refusal: { late.continuation.finish() })
        #expect(pool.add(waits))
        now.withLock { $0 += .milliseconds(51) }
        gate.open()
        for await _ in late.stream {}
    }

    @Test(arguments: bcryptPlans) func `takes on work again when the queue has drained`(
        plan: BcryptPlan
    ) async throws {
        let pool = try BcryptPool(threads: 1, queueLimit: 1, plan: { plan })
        let gate = Gate()
        #expect(pool.add(job { gate.wait() }))
        let drained = AsyncStream<Void>.makeStream()
        #expect(pool.add(job { drained.continuation.finish() }))
        #expect(!pool.add(job {}))
        gate.open()
        for await _ in drained.stream {}
        // Only one of two places is free for certain: the thread may not have released its last job yet.
        #expect(pool.add(job {}))
    }

    @Test(arguments: bcryptPlans) func `checks at the same time do not mix up their answers`(
        plan: BcryptPlan
    ) async throws {
        let pool = try BcryptPool(threads: 2, queueLimit: 20, longestWait: .seconds(300), plan: { plan })
        let hasher = try makeHasher(pool: pool)
        let hash = "$2a$10$.TtQJ4Jr6isd4Hp.mVfZeuh6Gws4rOQ/vdBczhDx.19NFK0Y84Dle"
        let matches = try await withThrowingTaskGroup(of: PasswordMatch.self) { group in
            for number in 0..<20 {
                group.addTask { try await hasher.check(Secret(number == 7 ? "ππππππππ" : "\(number)"), against: hash) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(matches.count { $0 == .matches } == 1)
        #expect(matches.count { $0 == .differs } == 19)
    }

    @Test(arguments: bcryptPlans) func `a caller that gives up gets its answer and holds up nobody`(
        plan: BcryptPlan
    ) async throws {
        let pool = try BcryptPool(threads: 1, plan: { plan })
        let hasher = try makeHasher(pool: pool)
        let gate = Gate()
        #expect(pool.add(job { gate.wait() }))
        let abandoned = Task { try await hasher.check(Secret("password"), against: nil) }
        abandoned.cancel()
        gate.open()
        #expect(try await abandoned.value == .differs)
        #expect(try await hasher.check(Secret("password"), against: nil) == .differs)
    }

    @Test(arguments: bcryptPlans) func `the threads end with the pool`(
        plan: BcryptPlan
    ) async throws {
        let ended = AsyncStream<Void>.makeStream()
        do {
            let pool = try BcryptPool(threads: 1, plan: { plan })
            #expect(
                pool.add(
                    job {
                        Thread.current.threadDictionary["canary"] = Canary { ended.continuation.finish() }
                    }))
        }
        for await _ in ended.stream {}
    }

    @Test(arguments: bcryptPlans) func `what waits when the pool ends is still done`(
        plan: BcryptPlan
    ) async throws {
        let done = AsyncStream<Int>.makeStream()
        do {
            let pool = try BcryptPool(threads: 1, plan: { plan })
            let gate = Gate()
            #expect(pool.add(job { gate.wait() }))
            #expect(pool.add(job { done.continuation.yield(1) }))
            #expect(pool.add(job { done.continuation.finish() }))
            gate.open()
        }
        #expect(await done.stream.reduce(0, +) == 1)
    }

    @Test func `a hash that waits behind a longer one on the same thread ends first`() async throws {
        #expect(try await orderOfEnds(plan: BcryptPlan(lanes: 4, isAloneWithLibcrypt: false)) == [4, 9])
        #expect(try await orderOfEnds(plan: BcryptPlan(lanes: 4, isAloneWithLibcrypt: true)) == [4, 9])
        #expect(try await orderOfEnds(plan: .libcrypt) == [9, 4])
    }

    /// Returns the costs of two hashes that wait at the same time in the order in which they end.
    private func orderOfEnds(plan: BcryptPlan) async throws -> [Int] {
        let pool = try BcryptPool(threads: 1, plan: { plan })
        let (gate, ends) = (Gate(), AsyncStream<Int>.makeStream())
        #expect(pool.add(job { gate.wait() }))
        for cost in [9, 4] { #expect(pool.add(job(cost: cost) { ends.continuation.yield(cost) })) }
        gate.open()
        return await ends.stream.prefix(2).reduce(into: []) { $0.append($1) }
    }

    @Test(arguments: bcryptPlans) func `two hashes do not share a thread while another one is idle`(
        plan: BcryptPlan
    ) async throws {
        let pool = try BcryptPool(threads: 2, plan: { plan })
        let (first, second) = (Gate(), Gate())
        // Each waits for the other: on one thread both would wait forever.
        let ended = AsyncStream<Void>.makeStream()
        #expect(
            pool.add(
                job {
                    first.open()
                    second.wait()
                    ended.continuation.yield()
                }))
        #expect(
            pool.add(
                job {
                    second.open()
                    first.wait()
                    ended.continuation.yield()
                }))
        for await _ in ended.stream.prefix(2) {}
    }

    @Test(arguments: bcryptPlans) func `a refused setting is reported and holds up nobody`(
        plan: BcryptPlan
    ) async throws {
        let pool = try BcryptPool(threads: 1, plan: { plan })
        let hashes = AsyncStream<BcryptHash?>.makeStream()
        for setting in ["$2x$04$CCCCCCCCCCCCCCCCCCCCC.", "", "$2b$04$CCCCCCCCCCCCCCCCCCCCC."] {
            #expect(
                pool.add(BcryptJob(password: Secret("U*U"), setting: setting) { hashes.continuation.yield($0) }))
        }
        let results = await hashes.stream.prefix(3).reduce(into: []) { $0.append($1) }
        #expect(results.count { $0 == nil } == 2)
    }

    @Test func `a failed self-test is reported once, and libcrypt computes the hashes`() async throws {
        let reports = AsyncStream<Void>.makeStream()
        do {
            let pool = try BcryptPool(
                threads: 2, plan: { nil }, onFailedSelfTest: { reports.continuation.yield() })
            let hasher = try makeHasher(pool: pool)
            let hash = "$2a$10$.TtQJ4Jr6isd4Hp.mVfZeuh6Gws4rOQ/vdBczhDx.19NFK0Y84Dle"
            #expect(try await hasher.check(Secret("ππππππππ"), against: hash) == .matches)
        }
        for await _ in reports.stream.prefix(1) {}
        reports.continuation.finish()
        #expect(await reports.stream.reduce(0) { count, _ in count + 1 } == 0)
    }

    #if os(Linux)
    @Test func `hashing yields to the other threads`() async throws {
        let pool = try BcryptPool(threads: 1)
        let niceness: Int32 = await withCheckedContinuation { continuation in
            let isTaken = pool.add(job { continuation.resume(returning: currentNiceness()) })
            #expect(isTaken)
        }
        #expect(niceness == min(19, currentNiceness() + 10))
    }
    #endif
}

/// Returns a job with a hash of low cost, after which, or after its refusal, the closure runs on the hashing thread.
private func job(cost: Int = 4, _ completion: @escaping @Sendable () -> Void) -> BcryptJob {
    BcryptJob(
        password: Secret(""), setting: BcryptWorker.setting(cost: cost), completion: { _ in completion() },
        refusal: completion)
}

/// Blocks a thread until it is opened.
private final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func wait() { semaphore.wait() }
    func open() { semaphore.signal() }
}

/// Reports when it is released.
private final class Canary {
    private let onRelease: () -> Void

    init(onRelease: @escaping () -> Void) { self.onRelease = onRelease }

    deinit { onRelease() }
}

#if os(Linux)
import Glibc

/// Returns the niceness of the calling thread.
private func currentNiceness() -> Int32 { nice(0) }
#endif
