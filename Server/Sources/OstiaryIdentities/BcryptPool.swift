import Dispatch
import Foundation
package import OstiaryEngine
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The threads that hash passwords for every app of a server, behind a queue of bounded length in time.
///
/// Hashing occupies a core for tens of milliseconds; on the cooperative threads it would delay every other request. The
/// threads have a lower priority than all others of the process, and end with the pool.
///
/// A thread computes several hashes at once if that is faster, since one leaves most of a core's time unused (see
/// ``BcryptGroup``). Waiting jobs first go to idle threads, and then join the jobs of busy ones, evenly. No job waits
/// for company.
package final class BcryptPool: Sendable {
    private let queue: Queue

    /// - Parameters:
    ///   - threads: The number of threads; by default the number of cores.
    ///   - queueLimit: The maximum number of jobs beyond one per thread; by default 1,024 per thread.
    ///   - longestWait: The expected wait beyond which jobs are refused.
    ///   - onFailedSelfTest: Called if CBcrypt computes a published hash wrongly. libcrypt computes all hashes then.
    /// - Throws: ``BcryptUnavailable`` if the system's libcrypt does not support bcrypt.
    package convenience init(
        threads: Int? = nil, queueLimit: Int? = nil, longestWait: Duration = .seconds(2),
        onFailedSelfTest: @escaping @Sendable () -> Void = {}
    ) throws(BcryptUnavailable) {
        try self.init(
            threads: threads, queueLimit: queueLimit, longestWait: longestWait, plan: { .measured },
            onFailedSelfTest: onFailedSelfTest)
    }

    /// - Parameters:
    ///   - now: The clock that waits are measured by.
    ///   - plan: Called on each of the threads when it starts; nil after a failed self-test.
    init(
        threads: Int? = nil, queueLimit: Int? = nil, longestWait: Duration = .seconds(2),
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }, plan: @escaping @Sendable () -> BcryptPlan?,
        onFailedSelfTest: @escaping @Sendable () -> Void = {}
    ) throws(BcryptUnavailable) {
        guard Bcrypt().hash("U*U", setting: Self.probe)?.text == Self.probe else { throw BcryptUnavailable() }
        let count = max(1, threads ?? ProcessInfo.processInfo.activeProcessorCount)
        let queue = Queue(
            limit: max(0, queueLimit ?? count * 1_024), threads: count, longestWait: longestWait, now: now)
        self.queue = queue
        for number in 1...count {
            // The thread retains the queue and not the pool, whose deinitializer ends the threads.
            let thread = Thread {
                #if canImport(Glibc)
                // On Linux this is the niceness of the calling thread alone.
                _ = nice(10)
                #endif
                let plan = plan()
                if plan == nil, number == 1 { onFailedSelfTest() }
                let worker = BcryptWorker(plan: plan ?? .libcrypt, onEnd: queue.finish)
                while let jobs = queue.next(running: worker.count, capacity: worker.capacity) {
                    worker.begin(jobs)
                    worker.advance()
                }
            }
            thread.name = "bcrypt-\(number)"
            thread.start()
        }
    }

    deinit { queue.close() }

    /// The number of jobs that wait for a thread.
    package var waitingCount: Int { queue.waitingCount }

    /// The durations of jobs, from their request to their result.
    package let durations = DurationHistogram()

    /// Enqueues a job.
    ///
    /// - Returns: `false` if it would wait too long; the job is then never computed.
    func add(_ job: BcryptJob) -> Bool { queue.add(job) }

    /// One of the published test vectors of crypt_blowfish; the password is `U*U`.
    private static let probe = "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"
}

/// The system's libcrypt does not support bcrypt.
package struct BcryptUnavailable: Error, CustomStringConvertible {
    package var description: String { "the system's libcrypt does not support bcrypt" }
}

extension BcryptPool {
    /// The queue of waiting jobs, first in, first out.
    private final class Queue: Sendable {
        private struct State {
            var waiting: [(job: BcryptJob, since: ContinuousClock.Instant)] = []
            /// The jobs that wait or run.
            var admission: BcryptAdmission
            /// The number of threads that wait and have not been signalled.
            var idle = 0
            var isOpen = true
        }

        private enum Next {
            case jobs([BcryptJob])
            case late([BcryptJob])
            case none
            case end
        }

        private let state: Mutex<State>
        private let news = DispatchSemaphore(value: 0)
        private let threads: Int
        private let longestWait: Duration
        private let now: @Sendable () -> ContinuousClock.Instant

        init(
            limit: Int, threads: Int, longestWait: Duration, now: @escaping @Sendable () -> ContinuousClock.Instant
        ) {
            state = Mutex(
                State(admission: BcryptAdmission(threads: threads, limit: limit, longestWait: longestWait)))
            self.threads = threads
            self.longestWait = longestWait
            self.now = now
        }

        func add(_ job: BcryptJob) -> Bool {
            let now = now()
            let (isAdded, wakes) = state.withLock { state in
                guard state.isOpen,
                    state.admission.admit(rounds: job.rounds, oldest: state.waiting.first?.since, at: now)
                else { return (false, false) }
                state.waiting.append((job, now))
                guard state.idle > 0 else { return (true, false) }
                state.idle -= 1
                return (true, true)
            }
            if wakes { news.signal() }
            return isAdded
        }

        /// Returns jobs for a thread, up to its share of all; none if it has jobs already and no more are for it. Refuses those
        /// that have waited too long.
        ///
        /// Blocks a thread without jobs until there is one; nil when the pool has ended.
        func next(running: Int, capacity: Int) -> [BcryptJob]? {
            while true {
                let next = state.withLock { state -> Next in
                    let late = takeLate(&state)
                    if !late.isEmpty { return .late(late) }
                    let share = min(capacity, (state.admission.count + threads - 1) / threads)
                    let count = min(share - running, state.waiting.count)
                    if count > 0 {
                        let jobs = state.waiting.prefix(count).map(\.job)
                        state.waiting.removeFirst(count)
                        return .jobs(jobs)
                    }
                    if running > 0 { return .jobs([]) }
                    guard state.isOpen else { return .end }
                    state.idle += 1
                    return .none
                }
                switch next {
                case .jobs(let jobs): return jobs
                case .late(let jobs): for job in jobs { job.refusal() }
                case .none: news.wait()
                case .end: return nil
                }
            }
        }

        /// Removes the jobs that have waited too long: their callers may have gone, and later ones are then in time.
        private func takeLate(_ state: inout State) -> [BcryptJob] {
            guard let first = state.waiting.first else { return [] }
            let now = now()
            guard first.since.duration(to: now) > longestWait else { return [] }
            let late = state.waiting.prefix { $0.since.duration(to: now) > longestWait }.map(\.job)
            state.waiting.removeFirst(late.count)
            for job in late { state.admission.abandon(rounds: job.rounds) }
            return late
        }

        var waitingCount: Int { state.withLock { $0.waiting.count } }

        func finish(_ job: BcryptJob) {
            let now = now()
            state.withLock {
                $0.admission.finish(rounds: job.rounds, isSaturated: !$0.waiting.isEmpty, at: now)
            }
        }

        /// Ends the threads after the running and the waiting jobs.
        func close() {
            let idle = state.withLock { state in
                defer { state.idle = 0 }
                state.isOpen = false
                return state.idle
            }
            for _ in 0..<idle { news.signal() }
        }
    }
}
