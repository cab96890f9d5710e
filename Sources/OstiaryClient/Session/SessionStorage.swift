import OstiaryCore
import Synchronization

/// The write-behind in front of the store: changes in their order, repeated until the store takes them.
///
/// Belongs to one ``SessionKeeper`` and is used in its isolation only. A change is pending from the synchronous stretch in which
/// ``change(late:on:_:)`` is called, so that the order of changes is the order of calls.
final class SessionStorage {
    private let store: any SessionStore
    private let surroundings: ClientSurroundings
    private let events: Broadcast<ClientEvent>
    private let current: CurrentSession
    /// The changes that the store has not taken yet, in their order.
    private var pending: [PendingChange] = []
    private var lastNumber = 0
    private var flushing: Task<StoreProblem?, Never>?
    /// The number of successful writes.
    private var writes = 0
    private var retrying: Task<Void, Never>?
    private var isFailing = false

    init(
        store: any SessionStore, surroundings: ClientSurroundings, events: Broadcast<ClientEvent>,
        current: CurrentSession
    ) {
        self.store = store
        self.surroundings = surroundings
        self.events = events
        self.current = current
    }

    var hasPendingChanges: Bool { !pending.isEmpty }

    // MARK: Reading

    /// Reads the store as it will be when it has taken all that is pending.
    func read(on keeper: isolated SessionKeeper) async -> StoredSessions {
        while true {
            let before = writes
            let answer = await store.read()
            // Written meanwhile: what was read may be from before, and is pending no longer.
            guard before == writes else { continue }
            if case .unavailable(.damaged) = answer { restoreCurrent(on: keeper) }
            if case .unavailable = answer { return answer }
            guard !pending.isEmpty else { return answer }
            var saved = if case .found(let found) = answer { found } else { SavedSessions.none }
            for change in pending { change.apply(&saved) }
            return saved == .none ? .absent : .found(saved)
        }
    }

    /// Stores the session in use again: what was stored has been moved aside, because it cannot be read.
    private func restoreCurrent(on keeper: isolated SessionKeeper) {
        guard let session = current.held?.session else { return }
        pending.insert(
            PendingChange(
                number: nextNumber(), apply: { saved in if saved[session.id] == nil { saved.use(session) } },
                whenLate: nil), at: 0)
        retryLater(on: keeper)
    }

    // MARK: Writing

    /// Changes the store, after every change before this one, whether or not the caller is cancelled.
    ///
    /// A store that cannot take it now takes it later, in its turn.
    ///
    /// - Parameter late: Receives the outcome where the caller was told of a failure and the store took the change later.
    func change<Outcome: Sendable>(
        late: (@Sendable (SessionKeeper, Outcome) async -> Void)? = nil, on keeper: isolated SessionKeeper,
        _ change: @escaping @Sendable (inout SavedSessions) -> Outcome
    ) async -> Result<Outcome, StoreProblem> {
        let outcome = Latest<Outcome>()
        let number = nextNumber()
        let whenLate: @Sendable (SessionKeeper) async -> Void = { keeper in
            if let late, let outcome = outcome.value { await late(keeper, outcome) }
        }
        pending.append(
            PendingChange(number: number, apply: { saved in outcome.set(change(&saved)) }, whenLate: whenLate))
        let problem = await flush(on: keeper)
        guard let index = pending.firstIndex(where: { $0.number == number }) else {
            if let outcome = outcome.value { return .success(outcome) }
            return .failure(problem ?? .busy)
        }
        pending[index].isLate = true
        return .failure(problem ?? .busy)
    }

    /// Gives the store all that is pending.
    ///
    /// - Returns: The problem if it does not take it; else nil.
    @discardableResult
    func flush(on keeper: isolated SessionKeeper) async -> StoreProblem? {
        let before = flushing
        let task = Task { () -> StoreProblem? in
            _ = await before?.value
            return await flushNow(on: keeper)
        }
        flushing = task
        return await task.value
    }

    /// Returns when the write under way has ended.
    func settle(on keeper: isolated SessionKeeper) async { _ = await flushing?.value }

    private func flushNow(on keeper: isolated SessionKeeper) async -> StoreProblem? {
        guard !pending.isEmpty else { return nil }
        var problem = await write(on: keeper)
        if case .damaged = problem {
            // It has been moved aside, and there is room for another.
            restoreCurrent(on: keeper)
            problem = await write(on: keeper)
        }
        if let problem {
            if !isFailing { events.send(.storeUnwritable(problem)) }
            isFailing = true
            retryLater(on: keeper)
        } else {
            if isFailing { events.send(.storeWritableAgain) }
            isFailing = false
        }
        return problem
    }

    private func write(on keeper: isolated SessionKeeper) async -> StoreProblem? {
        let batch = pending
        do throws(StoreProblem) {
            try await store.change { saved in for change in batch { change.apply(&saved) } }
        } catch {
            return error
        }
        writes += 1
        let written = Set(batch.map(\.number))
        let late = pending.filter { written.contains($0.number) && $0.isLate }
        pending.removeAll { written.contains($0.number) }
        for change in late { Task { await change.whenLate?(keeper) } }
        return nil
    }

    private static let longestWait: Duration = .seconds(60)

    /// Repeats the write with growing pauses, for as long as the keeper exists.
    private func retryLater(on keeper: isolated SessionKeeper) {
        guard retrying == nil else { return }
        retrying = surroundings.retry(first: .seconds(1), longest: Self.longestWait) { [weak keeper] in
            await keeper?.retryWrite() == true
        }
    }

    /// Tries once more. The step that finds nothing left also ends the retries: the next failure begins them anew.
    ///
    /// - Returns: True if changes are still pending.
    func retry(on keeper: isolated SessionKeeper) async -> Bool {
        await flush(on: keeper)
        guard pending.isEmpty else { return true }
        retrying = nil
        return false
    }

    private func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }
}

/// A change of the store that is done once the store takes it.
private struct PendingChange: Sendable {
    let number: Int
    let apply: @Sendable (inout SavedSessions) -> Void
    /// Called where the store takes it only after its caller has gone on without.
    let whenLate: (@Sendable (SessionKeeper) async -> Void)?
    var isLate = false
}

/// The outcome of a change the last time it was tried.
private final class Latest<Value: Sendable>: Sendable {
    private let latest = Mutex<Value?>(nil)
    var value: Value? { latest.withLock { $0 } }
    func set(_ value: Value) { latest.withLock { $0 = value } }
}

extension SavedSessions {
    /// Makes a session the one in use.
    mutating func use(_ session: ClientSession) {
        self[session.id] = session
        current = session.id
    }

    mutating func forget(_ id: ClientSession.ID) {
        self[id] = nil
        if current == id { current = nil }
    }
}
