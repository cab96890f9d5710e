import OstiaryCore
import Synchronization

/// The write-behind in front of the store: changes in order, retried until the store accepts them.
///
/// Owned by one ``SessionKeeper`` and used in its isolation only. A change is pending from the synchronous part of
/// ``change(late:on:_:)``, so the order of changes is the order of calls.
final class SessionStorage {
    private let store: any SessionStore
    private let system: ClientDependencies
    private let events: Broadcast<ClientEvent>
    private let current: CurrentSession
    /// The changes that the store has not accepted yet, in order.
    private var pending: [PendingChange] = []
    private var lastNumber = 0
    /// The sessions in the store, as it was last read or written.
    private var stored: [ClientSession] = []
    /// The session in use under the identifiers and tokens that it had in the store before the store was found damaged. Never
    /// another account's: a session that is found in the store may be that of one too.
    private var lost: [ClientSession] = []
    /// The identifier of the session that ``lost`` belongs to.
    private var lostID: ClientSession.ID?
    private var flushing: Task<StoreProblem?, Never>?
    /// The number of successful writes.
    private var writes = 0
    private var retrying: Task<Void, Never>?
    private var isFailing = false

    init(
        store: any SessionStore, system: ClientDependencies, events: Broadcast<ClientEvent>,
        current: CurrentSession
    ) {
        self.store = store
        self.system = system
        self.events = events
        self.current = current
    }

    var hasPendingChanges: Bool { !pending.isEmpty }

    /// Returns `true` if the store holds the refresh token of a session, as far as this process knows.
    func holdsRefreshToken(of session: ClientSession) -> Bool {
        session.refreshToken.map { token in stored.contains { $0.refreshToken == token } } ?? false
    }

    // MARK: Reading

    /// Reads the store as it will be once it has accepted all pending changes.
    func read(on keeper: isolated SessionKeeper) async -> StoredSessions {
        while true {
            let before = writes
            let answer = await store.read()
            // A write has completed in the meantime: the value read may predate it, and its changes are no longer
            // pending.
            guard before == writes else { continue }
            switch answer {
            case .found(let saved):
                if saved.hasLostSessions { rememberCurrent() }
                stored = saved.sessions
            case .absent, .unavailable(.enrolmentChanged): stored = []
            case .unavailable(.damaged): restoreCurrent(on: keeper)
            case .unavailable: break
            }
            if case .unavailable = answer { return answer }
            var saved = if case .found(let found) = answer { found } else { SavedSessions.none }
            guard !pending.isEmpty || saved.hasLostSessions else { return answer }
            for change in pending { change.apply(&saved) }
            let session = current.held?.session
            if saved.restore(session, over: session.map { forms(of: $0) } ?? []) { restoreCurrent(on: keeper) }
            return saved == .none ? .absent : .found(saved)
        }
    }

    /// Returns a session in each form in which a damaged store may still hold it: under the identifiers and with the tokens that
    /// it has in memory, had in the store when that was last read or written, and had there before the damage.
    func forms(of session: ClientSession) -> [ClientSession] {
        var forms = session.id == lostID ? lost : []
        if !forms.contains(session) { forms.append(session) }
        for other in stored where !forms.contains(other) && forms.contains(where: { $0.isSame(as: other) }) {
            forms.append(other)
        }
        return forms
    }

    /// Keeps the forms of the session in use, before the store is read or written again.
    private func rememberCurrent() {
        guard let session = current.held?.session else { return }
        lost = forms(of: session)
        lostID = session.id
    }

    /// Queues the session in use to be stored again: the stored sessions were unreadable and have been moved aside.
    private func restoreCurrent(on keeper: isolated SessionKeeper) {
        rememberCurrent()
        stored = []
        guard let session = current.held?.session else { return }
        let restore: @Sendable (inout SavedSessions) -> Void = { [lost] saved in
            saved.restore(session, over: lost)
            if saved[session.id] == nil { saved.use(session) }
        }
        pending.insert(PendingChange(number: nextNumber(), apply: restore, whenLate: nil), at: 0)
        retryLater(on: keeper)
    }

    // MARK: Writing

    /// Changes the store after every earlier change, even if the caller is cancelled.
    ///
    /// A change that the store cannot accept now stays pending and is written later, in order.
    ///
    /// - Parameter late: Receives the outcome if the caller received a failure and the store accepted the change later.
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

    /// Writes all pending changes to the store.
    ///
    /// - Returns: The problem if the store does not accept them, else `nil`.
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

    /// Returns when the write in progress has ended.
    func settle(on keeper: isolated SessionKeeper) async { _ = await flushing?.value }

    private func flushNow(on keeper: isolated SessionKeeper) async -> StoreProblem? {
        guard !pending.isEmpty else { return nil }
        var problem = await write(on: keeper)
        if case .damaged = problem {
            // The damaged store has been moved aside, which makes room for a new one.
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
        let session = current.held?.session
        let lost = session.map { forms(of: $0) } ?? []
        do throws(StoreProblem) {
            stored = try await store.change { saved -> [ClientSession] in
                saved.restore(session, over: lost)
                for change in batch { change.apply(&saved) }
                return saved.sessions
            }
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

    /// Retries the write with exponential backoff, for as long as the keeper exists.
    private func retryLater(on keeper: isolated SessionKeeper) {
        guard retrying == nil else { return }
        retrying = system.retry(first: .seconds(1), longest: Self.longestWait) { [weak keeper] in
            await keeper?.retryWrite() == true
        }
    }

    /// Runs one retry. The step that leaves nothing pending also ends the retry loop; the next failure starts a new
    /// one.
    ///
    /// - Returns: `true` if changes are still pending.
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

/// A change that is applied once the store accepts it.
private struct PendingChange: Sendable {
    let number: Int
    let apply: @Sendable (inout SavedSessions) -> Void
    /// Called if the store accepts the change only after its caller has continued without it.
    let whenLate: (@Sendable (SessionKeeper) async -> Void)?
    var isLate = false
}

/// The outcome of a change in its latest attempt.
private final class Latest<Value: Sendable>: Sendable {
    private let latest = Mutex<Value?>(nil)
    var value: Value? { latest.withLock { $0 } }
    func set(_ value: Value) { latest.withLock { $0 = value } }
}

extension SavedSessions {
    /// Makes a session the current one.
    mutating func use(_ session: ClientSession) {
        self[session.id] = session
        current = session.id
        hasLostSessions = false
    }

    mutating func forget(_ id: ClientSession.ID) {
        self[id] = nil
        if current == id { current = nil }
        hasLostSessions = false
    }

    /// Makes the session in use the current one again if it was lost with the others.
    ///
    /// - Parameter lost: The session in the forms in which it was stored. A session that was found by its tokens alone is the same
    ///   one if they were the tokens in use, or of one of these.
    /// - Returns: `true` if it was lost.
    @discardableResult
    mutating func restore(_ session: ClientSession?, over lost: [ClientSession]) -> Bool {
        guard hasLostSessions, let session, self[session.id] == nil else { return false }
        guard let found = currentSession else {
            use(session)
            return true
        }
        guard (lost + [session]).contains(where: { $0.isSame(as: found) }) else { return false }
        self[found.id] = nil
        let later = lost.first { $0.accessToken == found.accessToken && $0.issuedAt > session.issuedAt }
        // Of two processes that refresh concurrently, the first that stores its tokens keeps them.
        use(session.with(tokensOf: later ?? (found.isFound(as: found.id) ? session : found)))
        return true
    }
}
