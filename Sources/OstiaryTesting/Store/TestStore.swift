import Foundation
public import OstiaryClient

/// A store in memory that can be locked, made unwritable, made to fail and to wait, and that counts.
///
/// Give one to two clients, and they are two processes that share a store.
public final class TestStore: SessionStore {
    /// How often it was asked for what.
    public struct Counts: Hashable, Sendable {
        public var reads = 0
        public var changes = 0
        /// Changes that changed something.
        public var writes = 0
        public var refreshTurns = 0

        public init() {}
    }

    private struct State: Sendable {
        var saved: SavedSessions
        var counts = Counts()
        var unavailable: StoreProblem?
        var unwritable: StoreProblem?
        var busyTurns: StoreProblem?
        var failures: [StoreProblem] = []
        var point: HoldingPoint?
        var turn: Int?
        var nextTurn = 0

        /// What an operation that begins now fails with; nil if it does not.
        mutating func problem() -> StoreProblem? {
            if let unavailable { return unavailable }
            return failures.isEmpty ? nil : failures.removeFirst()
        }
    }

    private let state: Watched<State>

    public init(_ saved: SavedSessions = .none) { state = Watched(State(saved: saved)) }

    // MARK: For the test

    /// What is kept, read and written past every lock, and not counted.
    public var saved: SavedSessions {
        get { state.value.saved }
        set { state.change { $0.saved = newValue } }
    }
    public var counts: Counts { state.value.counts }

    /// A refusal as the system has it: permission denied.
    public static let denied = StoreProblem.system(path: "/test/sessions", code: EACCES)

    /// Nothing can be read or written until ``unlock()``: a keychain before the first unlock.
    public func lock(_ problem: StoreProblem = TestStore.denied) { state.change { $0.unavailable = problem } }
    public func unlock() { state.change { $0.unavailable = nil } }

    /// It can be read and not written until ``makeWritable()``: a full disk.
    public func makeUnwritable(_ problem: StoreProblem = TestStore.denied) { state.change { $0.unwritable = problem } }
    public func makeWritable() { state.change { $0.unwritable = nil } }

    /// The next reads and changes fail, that many of them.
    public func failNext(_ count: Int = 1, with problem: StoreProblem = TestStore.denied) {
        state.change { $0.failures += Array(repeating: problem, count: count) }
    }

    /// Whether another process has the turn to refresh and does not give it back.
    public func refuseTurns(_ refuses: Bool = true) { state.change { $0.busyTurns = refuses ? .busy : nil } }

    /// Whether a client has the turn to refresh.
    public var isTurnTaken: Bool { state.value.turn != nil }

    /// Holds every read and change that begins from now on; nil to hold none.
    public func hold(at point: HoldingPoint?) { state.change { $0.point = point } }

    /// Waits until it has counted what the test waits for.
    ///
    /// - Throws: `CancellationError` if the task is cancelled meanwhile.
    public func counts(
        until condition: @escaping @Sendable (Counts) -> Bool
    ) async throws(CancellationError) {
        try await state.wait { condition($0.counts) }
    }

    // MARK: SessionStore

    public func read() async -> StoredSessions {
        let point = state.change { state in
            state.counts.reads += 1
            return state.point
        }
        // A store that is asked by a cancelled task answers all the same.
        if let point { try? await point.hold() }
        return state.change { state in
            if let problem = state.problem() { return .unavailable(problem) }
            return state.saved == .none ? .absent : .found(state.saved)
        }
    }

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

    public func refreshTurn() async throws(StoreProblem) -> any RefreshTurn {
        let (number, problem) = state.change { state in
            state.counts.refreshTurns += 1
            state.nextTurn += 1
            return (state.nextTurn, state.unavailable ?? state.busyTurns)
        }
        if let problem { throw problem }
        do {
            try await state.wait { state in
                guard state.turn == nil else { return false }
                state.turn = number
                return true
            }
        } catch {
            throw .busy
        }
        return Turn { [state] in state.change { if $0.turn == number { $0.turn = nil } } }
    }

    private final class Turn: RefreshTurn {
        private let finish: @Sendable () -> Void
        init(_ finish: @escaping @Sendable () -> Void) { self.finish = finish }
        func end() { finish() }
        deinit { finish() }
    }
}
