import Foundation
public import OstiaryClient

/// A session store in memory that counts its calls, and that a test can lock, make unwritable, fail and delay.
///
/// Two clients with one store act as two processes that share it.
public final class TestStore: SessionStore {
    /// The numbers of calls so far.
    public struct Counts: Hashable, Sendable {
        /// Calls of ``TestStore/read()``.
        public var reads = 0
        /// Calls of ``TestStore/change(_:)``, failed ones included.
        public var changes = 0
        /// Changes that stored a different value.
        public var writes = 0
        /// Calls of ``TestStore/refreshLease()``, failed ones included.
        public var refreshLeases = 0

        /// Creates counts of zero.
        public init() {}
    }

    private struct State: Sendable {
        var saved: SavedSessions
        var counts = Counts()
        var unavailable: StoreProblem?
        var unwritable: StoreProblem?
        var busyLeases: StoreProblem?
        var failures: [StoreProblem] = []
        var point: HoldingPoint?
        var lease: Int?
        var nextTurn = 0

        /// Returns the error of an operation that begins now, and uses up one planned failure; `nil` for success.
        mutating func problem() -> StoreProblem? {
            if let unavailable { return unavailable }
            return failures.isEmpty ? nil : failures.removeFirst()
        }
    }

    private let state: Watched<State>

    /// Creates a store that holds `saved`.
    public init(_ saved: SavedSessions = .none) { state = Watched(State(saved: saved)) }

    // MARK: Control by the test

    /// The stored sessions. Reading and writing them here ignores locks and failures, and is not counted.
    public var saved: SavedSessions {
        get { state.value.saved }
        set { state.change { $0.saved = newValue } }
    }
    /// The numbers of calls so far.
    public var counts: Counts { state.value.counts }

    /// A typical refusal by the system: permission denied (`EACCES`).
    public static let denied = StoreProblem.system(path: "/test/sessions", code: EACCES)

    /// Fails every read and write until ``unlock()``, as a keychain before the first unlock does.
    public func lock(_ problem: StoreProblem = TestStore.denied) { state.change { $0.unavailable = problem } }
    /// Ends the effect of ``lock(_:)``.
    public func unlock() { state.change { $0.unavailable = nil } }

    /// Fails every write, but no read, until ``makeWritable()``, as a full disk does.
    public func makeUnwritable(_ problem: StoreProblem = TestStore.denied) { state.change { $0.unwritable = problem } }
    /// Ends the effect of ``makeUnwritable(_:)``.
    public func makeWritable() { state.change { $0.unwritable = nil } }

    /// Fails the next `count` reads and changes.
    public func failNext(_ count: Int = 1, with problem: StoreProblem = TestStore.denied) {
        state.change { $0.failures += Array(repeating: problem, count: count) }
    }

    /// Refuses the refresh lease with `StoreProblem.busy`, as if another process held it; `false` ends that.
    public func refuseLeases(_ refuses: Bool = true) { state.change { $0.busyLeases = refuses ? .busy : nil } }

    /// `true` while a client holds the refresh lease.
    public var isLeaseTaken: Bool { state.value.lease != nil }

    /// Holds every read and change that begins from now on at `point`; `nil` to hold none.
    public func hold(at point: HoldingPoint?) { state.change { $0.point = point } }

    /// Waits until the counts satisfy `condition`.
    ///
    /// - Throws: `CancellationError` if the task is cancelled meanwhile.
    public func counts(
        until condition: @escaping @Sendable (Counts) -> Bool
    ) async throws(CancellationError) {
        try await state.wait { condition($0.counts) }
    }

    // MARK: SessionStore

    /// Returns the stored sessions, or the problem that the test has set. Counted, and held at the point of
    /// ``hold(at:)``.
    public func read() async -> StoredSessions {
        let point = state.change { state in
            state.counts.reads += 1
            return state.point
        }
        // A read is answered even if its task was cancelled.
        if let point { try? await point.hold() }
        return state.change { state in
            if let problem = state.problem() { return .unavailable(problem) }
            return state.saved == .none ? .absent : .found(state.saved)
        }
    }

    /// Applies `change` and stores the result atomically; an unchanged value is not written. Counted, and held at the
    /// point of ``hold(at:)``.
    ///
    /// - Throws: The problem that the test has set with ``lock(_:)``, ``makeUnwritable(_:)`` or ``failNext(_:with:)``.
    public func change<Outcome: Sendable>(
        _ change: @Sendable (inout SavedSessions) -> Outcome
    ) async throws(StoreProblem) -> Outcome {
        let point = state.change { state in
            state.counts.changes += 1
            return state.point
        }
        if let point { try? await point.hold() }
        let outcome: Result<Outcome, StoreProblem> = state.change { state in
            if let problem = state.problem() { return .failure(problem) }
            var saved = state.saved
            let result = change(&saved)
            guard saved != state.saved else { return .success(result) }
            if let problem = state.unwritable { return .failure(problem) }
            state.counts.writes += 1
            state.saved = saved
            return .success(result)
        }
        return try outcome.get()
    }

    /// Waits until no other client of this store holds the refresh lease, and acquires it.
    ///
    /// - Throws: The problem of ``lock(_:)``; `StoreProblem.busy` after ``refuseLeases(_:)``, or if the task is
    ///   cancelled meanwhile.
    public func refreshLease() async throws(StoreProblem) -> any RefreshLease {
        let (number, problem) = state.change { state in
            state.counts.refreshLeases += 1
            state.nextTurn += 1
            return (state.nextTurn, state.unavailable ?? state.busyLeases)
        }
        if let problem { throw problem }
        do {
            try await state.wait { state in
                guard state.lease == nil else { return false }
                state.lease = number
                return true
            }
        } catch {
            throw .busy
        }
        return Lease { [state] in state.change { if $0.lease == number { $0.lease = nil } } }
    }

    private final class Lease: RefreshLease {
        private let finish: @Sendable () -> Void
        init(_ finish: @escaping @Sendable () -> Void) { self.finish = finish }
        func end() { finish() }
        deinit { finish() }
    }
}
