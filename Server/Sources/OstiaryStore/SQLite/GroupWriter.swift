import GRDB
import Synchronization

/// Lets writes that wait at the same time share one durable commit, each with an outcome of its own.
///
/// A commit costs a flush to the disk whatever is in it. While one is flushed the next writes gather, and go together.
/// Each runs in a savepoint: one that throws undoes only itself. Nobody hears of success before the commit.
final class GroupWriter: Sendable {
    /// One waiting write. Exactly one of `fail` and what `perform` returned is called, once.
    private struct Write: Sendable {
        /// Returns what tells the caller of success.
        let perform: @Sendable (Database) throws -> @Sendable () -> Void
        let fail: @Sendable (any Error) -> Void
    }

    private struct State {
        var waiting: [Write] = []
        var isScheduled = false
        var isClosed = false
    }

    private let database: any DatabaseWriter
    private let checkFile: @Sendable () throws -> Void
    private let maximumGroup: Int
    private let maximumWaiting: Int
    private let state = Mutex(State())
    private let commits = Atomic<Int>(0)

    /// - Parameter checkFile: Throws if what is written would be lost; asked before every commit.
    init(
        _ database: any DatabaseWriter, maximumGroup: Int = 512, maximumWaiting: Int = 10_000,
        checkFile: @escaping @Sendable () throws -> Void = {}
    ) {
        self.database = database
        self.checkFile = checkFile
        self.maximumGroup = maximumGroup
        self.maximumWaiting = maximumWaiting
    }

    /// How many transactions were committed.
    var commitCount: Int { commits.load(ordering: .relaxed) }

    /// How many writes wait for their group.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Runs `body` in a transaction and returns when it is durable. A caller's cancellation does not undo it.
    ///
    /// - Throws: What `body` throws, after its changes are undone; ``StoreError``.
    func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let write = Write(
                perform: { db in
                    let value = try body(db)
                    return { continuation.resume(returning: value) }
                },
                fail: { continuation.resume(throwing: $0) })
            do { try enqueue(write) } catch { continuation.resume(throwing: error) }
        }
    }

    /// Runs `body` in a transaction some time later. `finished` is called whatever happens.
    func writeLater(
        _ body: @escaping @Sendable (Database) throws -> Void, finished: @escaping @Sendable () -> Void
    ) {
        let write = Write(
            perform: { db in
                try body(db)
                return finished
            }, fail: { _ in finished() })
        do { try enqueue(write) } catch { finished() }
    }

    /// Refuses further writes and returns when all earlier ones are done.
    func close() async {
        let isFirst = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        guard isFirst else { return }
        await withCheckedContinuation { continuation in
            whenIdle { continuation.resume() }
        }
    }

    private func whenIdle(_ body: @escaping @Sendable () -> Void) {
        database.asyncWriteWithoutTransaction { [self] _ in
            let isIdle = state.withLock { $0.waiting.isEmpty }
            if isIdle { body() } else { whenIdle(body) }
        }
    }

    private func enqueue(_ write: Write) throws(StoreError) {
        let refusal: StoreError?
        let mustSchedule: Bool
        (refusal, mustSchedule) = state.withLock { state in
            guard !state.isClosed else { return (.closed, false) }
            guard state.waiting.count < maximumWaiting else { return (.overloaded, false) }
            state.waiting.append(write)
            defer { state.isScheduled = true }
            return (nil, !state.isScheduled)
        }
        if let refusal { throw refusal }
        if mustSchedule { schedule() }
    }

    private func schedule() {
        database.asyncWriteWithoutTransaction { [self] db in
            let group = state.withLock { state in
                let group = Array(state.waiting.prefix(maximumGroup))
                state.waiting.removeFirst(group.count)
                return group
            }
            commit(group, db)
            // Scheduled anew instead of looping, so that reads of a database in memory get their turn.
            let mustSchedule = state.withLock { state in
                state.isScheduled = !state.waiting.isEmpty
                return state.isScheduled
            }
            if mustSchedule { schedule() }
        }
    }

    private func commit(_ group: [Write], _ db: Database) {
        var outcomes: [@Sendable () -> Void] = []
        outcomes.reserveCapacity(group.count)
        do {
            try db.run("BEGIN IMMEDIATE")
            for write in group {
                outcomes.append(try run(write, db))
            }
            try checkFile()
            try db.run("COMMIT")
            commits.add(1, ordering: .relaxed)
        } catch {
            if db.isInsideTransaction { _ = try? db.run("ROLLBACK") }
            let failure = StoreError.translating(error)
            // Those that were refused too: what they were refused for may have been undone with the rest.
            for write in group { write.fail(failure) }
            return
        }
        for tell in outcomes { tell() }
    }

    /// - Returns: What tells the caller how the write went, once it is committed.
    /// - Throws: If the whole transaction is lost.
    private func run(_ write: Write, _ db: Database) throws -> @Sendable () -> Void {
        try db.run("SAVEPOINT one_write")
        let tell: @Sendable () -> Void
        do {
            tell = try write.perform(db)
        } catch {
            // A full disk, for one, ends the transaction and the savepoint with it.
            guard db.isInsideTransaction else { throw error }
            try db.run("ROLLBACK TO one_write")
            tell = { write.fail(StoreError.translating(error)) }
        }
        try db.run("RELEASE one_write")
        return tell
    }
}
