import Dispatch
import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The threads that hash passwords for every app of a server, behind a bounded queue.
///
/// Hashing occupies a core for tens of milliseconds; on the cooperative threads it would delay every other request. The
/// threads have a lower priority than all others of the process, and end with the pool.
package final class BcryptPool: Sendable {
    typealias Job = @Sendable (Bcrypt) -> Void

    private let queue: Queue

    /// - Parameters:
    ///   - threads: The number of concurrent hashes; by default the number of cores.
    ///   - queueLimit: The maximum number of waiting jobs; by default 32 per thread, which is 2 s of waiting at cost
    ///     10.
    /// - Throws: ``BcryptUnavailable`` if the system's libcrypt does not support bcrypt.
    package init(threads: Int? = nil, queueLimit: Int? = nil) throws(BcryptUnavailable) {
        guard Bcrypt().hash("U*U", setting: Self.probe)?.text == Self.probe else { throw BcryptUnavailable() }
        let count = max(1, threads ?? ProcessInfo.processInfo.activeProcessorCount)
        let queue = Queue(limit: max(0, queueLimit ?? count * 32), threads: count)
        self.queue = queue
        for number in 1...count {
            // The thread retains the queue and not the pool, whose deinitializer ends the threads.
            let thread = Thread {
                #if canImport(Glibc)
                // On Linux this is the niceness of the calling thread alone.
                _ = nice(10)
                #endif
                let bcrypt = Bcrypt()
                while let job = queue.next() {
                    job(bcrypt)
                    queue.finish()
                }
            }
            thread.name = "bcrypt-\(number)"
            thread.start()
        }
    }

    deinit { queue.close() }

    /// Enqueues a job to run on one of the threads.
    ///
    /// - Returns: `false` if the queue is full; the job is then never run.
    func run(_ job: @escaping Job) -> Bool { queue.add(job) }

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
            var waiting: [Job] = []
            /// The number of jobs that wait or run.
            var outstanding = 0
            var isOpen = true
        }

        private let state = Mutex(State())
        private let news = DispatchSemaphore(value: 0)
        private let limit: Int
        private let threads: Int

        init(limit: Int, threads: Int) {
            self.limit = limit
            self.threads = threads
        }

        func add(_ job: @escaping Job) -> Bool {
            let added = state.withLock { state in
                guard state.isOpen, state.outstanding < limit + threads else { return false }
                state.outstanding += 1
                state.waiting.append(job)
                return true
            }
            if added { news.signal() }
            return added
        }

        /// Blocks until there is a job; nil when the pool has ended.
        func next() -> Job? {
            news.wait()
            return state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
        }

        func finish() { state.withLock { $0.outstanding -= 1 } }

        /// Ends the threads after the running and the waiting jobs.
        func close() {
            state.withLock { $0.isOpen = false }
            for _ in 0..<threads { news.signal() }
        }
    }
}
