import Dispatch
import Foundation
import OstiaryCore
import OstiaryEngine
import Testing

@testable import OstiaryIdentities

@Suite(.timeLimit(.minutes(5))) struct BcryptPoolTests {
    @Test func `takes on what the queue holds and refuses the rest at once`() async throws {
        let pool = try BcryptPool(threads: 1, queueLimit: 2)
        let hasher = try makeHasher(pool: pool)
        let gate = Gate()
        #expect(pool.run { _ in gate.wait() })
        #expect(pool.run { _ in })
        #expect(pool.run { _ in })

        #expect(!pool.run { _ in })
        await #expect(throws: AuthError.busy(retryAfterSeconds: 1)) { try await hasher.hash(Secret("password")) }
        await #expect(throws: AuthError.busy(retryAfterSeconds: 1)) {
            try await hasher.check(Secret("password"), against: nil)
        }
        gate.open()
    }

    @Test func `takes on work again when the queue has drained`() async throws {
        let pool = try BcryptPool(threads: 1, queueLimit: 1)
        let gate = Gate()
        #expect(pool.run { _ in gate.wait() })
        let drained = AsyncStream<Void>.makeStream()
        #expect(pool.run { _ in drained.continuation.finish() })
        #expect(!pool.run { _ in })
        gate.open()
        for await _ in drained.stream {}
        // Only one of two places is free for certain: the thread may not have released its last job yet.
        #expect(pool.run { _ in })
    }

    @Test func `checks at the same time do not mix up their answers`() async throws {
        let pool = try BcryptPool(threads: 2, queueLimit: 20)
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

    @Test func `a caller that gives up gets its answer and holds up nobody`() async throws {
        let pool = try BcryptPool(threads: 1)
        let hasher = try makeHasher(pool: pool)
        let gate = Gate()
        #expect(pool.run { _ in gate.wait() })
        let abandoned = Task { try await hasher.check(Secret("password"), against: nil) }
        abandoned.cancel()
        gate.open()
        #expect(try await abandoned.value == .differs)
        #expect(try await hasher.check(Secret("password"), against: nil) == .differs)
    }

    @Test func `the threads end with the pool`() async throws {
        let ended = AsyncStream<Void>.makeStream()
        do {
            let pool = try BcryptPool(threads: 1)
            #expect(
                pool.run { _ in
                    Thread.current.threadDictionary["canary"] = Canary { ended.continuation.finish() }
                })
        }
        for await _ in ended.stream {}
    }

    @Test func `what waits when the pool ends is still done`() async throws {
        let done = AsyncStream<Int>.makeStream()
        do {
            let pool = try BcryptPool(threads: 1)
            let gate = Gate()
            #expect(pool.run { _ in gate.wait() })
            #expect(pool.run { _ in done.continuation.yield(1) })
            #expect(pool.run { _ in done.continuation.finish() })
            gate.open()
        }
        #expect(await done.stream.reduce(0, +) == 1)
    }

    #if os(Linux)
    @Test func `hashing yields to the other threads`() async throws {
        let pool = try BcryptPool(threads: 1)
        let niceness: Int32 = await withCheckedContinuation { continuation in
            let isTaken = pool.run { _ in continuation.resume(returning: currentNiceness()) }
            #expect(isTaken)
        }
        #expect(niceness == min(19, currentNiceness() + 10))
    }
    #endif
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
