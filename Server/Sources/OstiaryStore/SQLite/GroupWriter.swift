import GRDB
import OstiaryEngine
import Synchronization

/// Group commit: concurrent writes share one durable commit, each with an outcome of its own.
///
/// A commit costs one flush to the disk, independent of its size. During a flush the next writes queue, and are
/// committed together. Each runs in a savepoint: an error undoes only its own write. Callers are resumed only after the
/// commit.
final class GroupWriter: Sendable {
    /// One waiting write. Exactly one of `fail` and the closure that `perform` returned is called, once.
    private struct Write: Sendable {
        /// Returns the closure that reports success to the caller.
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
    private let transactionEnded: @Sendable () -> Void
    private let noteOutcome: @Sendable ((any Error)?) -> Void
    private let maximumGroup: Int
    private let maximumWaiting: Int
    private let state = Mutex(State())
    private let commits = Atomic<Int>(0)
    private let durations: DurationHistogram?

    /// - Parameters:
    ///   - durations: Measures the transactions.
    ///   - checkFile: Throws if writes would be lost; called before every commit.
    ///   - transactionEnded: Called on the writer's thread after every transaction, also one that failed, before its
    ///     callers are resumed.
    ///   - noteOutcome: Called after every commit that changed something with nil, or with the failure of the disk or the
    ///     file that prevented a write.
    init(
        _ database: any DatabaseWriter, maximumGroup: Int = 512, maximumWaiting: Int = 10_000,
        durations: DurationHistogram? = nil, checkFile: @escaping @Sendable () throws -> Void = {},
        transactionEnded: @escaping @Sendable () -> Void = {},
        noteOutcome: @escaping @Sendable ((any Error)?) -> Void = { _ in }
    ) {
        self.database = database
        self.durations = durations
        self.checkFile = checkFile
        self.transactionEnded = transactionEnded
        self.noteOutcome = noteOutcome
        self.maximumGroup = maximumGroup
        self.maximumWaiting = maximumWaiting
    }

    /// The number of committed transactions.
    var commitCount: Int { commits.load(ordering: .relaxed) }

    /// The number of writes that wait for their group.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// `true` while writes wait for their group or are committed.
    var isCommitting: Bool { state.withLock { $0.isScheduled } }

    /// Runs `body` in a transaction and returns when it is durable. A caller's cancellation does not undo it.
    ///
    /// - Throws: The error of `body`, after its changes are undone; ``StoreError``.
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

    /// Runs `body` in a later transaction. `finished` is called on success and on failure.
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
            // Rescheduled instead of looping, so that reads of an in-memory database are served in between.
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
        // That of a write that alone had no space; the others are committed.
        var storageFailure: (any Error)?
        let start = ContinuousClock.now
        do {
            let changes = db.totalChangesCount
            try db.control("BEGIN IMMEDIATE")
            for write in group {
                outcomes.append(try run(write, db, &storageFailure))
            }
            try checkFile()
            try db.control("COMMIT")
            transactionEnded()
            commits.add(1, ordering: .relaxed)
            durations?.add(start.duration(to: .now))
            // A commit without a change writes nothing, and succeeds on a full disk too.
            if storageFailure != nil || db.totalChangesCount != changes { noteOutcome(storageFailure) }
        } catch {
            if db.isInsideTransaction { try? db.control("ROLLBACK") }
            transactionEnded()
            if WriteHealth.isStorageFailure(error) { noteOutcome(error) }
            let failure = StoreError.translating(error)
            // Refused writes fail too: the rows that caused their refusal may have been rolled back.
            for write in group { write.fail(failure) }
            return
        }
        for tell in outcomes { tell() }
    }

    /// - Returns: The closure that reports the write's outcome to the caller, once it is committed.
    /// - Throws: If the whole transaction is lost.
    private func run(
        _ write: Write, _ db: Database, _ storageFailure: inout (any Error)?
    ) throws -> @Sendable () -> Void {
        try db.run("SAVEPOINT one_write")
        let tell: @Sendable () -> Void
        do {
            tell = try write.perform(db)
        } catch {
            // Some errors, such as a full disk, end the transaction and the savepoint with it.
            guard db.isInsideTransaction else { throw error }
            try db.run("ROLLBACK TO one_write")
            if WriteHealth.isStorageFailure(error) { storageFailure = error }
            tell = { write.fail(StoreError.translating(error)) }
        }
        try db.run("RELEASE one_write")
        return tell
    }
}
