import OstiaryCore
import Synchronization

/// A change of the store that is done once the store takes it.
struct PendingChange: Sendable {
    let number: Int
    let apply: @Sendable (inout SavedSessions) -> Void
    /// What is to be done where the store takes it only after its caller has gone on without.
    let whenLate: (@Sendable (SessionKeeper) async -> Void)?
    var isLate = false
}

extension SessionKeeper {
    // MARK: Reading

    /// What the store has, or will have when it has taken all that is pending.
    func read() async -> StoredSessions {
        while true {
            let before = flushes
            let answer = await store.read()
            // Written meanwhile: what was read may be from before, and is pending no longer.
            guard before == flushes else { continue }
            if case .unavailable(.damaged) = answer { noteLoss() }
            if case .unavailable = answer { return answer }
            guard !pending.isEmpty else { return answer }
            var saved = if case .found(let found) = answer { found } else { SavedSessions.none }
            for change in pending { change.apply(&saved) }
            return saved == .none ? .absent : .found(saved)
        }
    }

    /// What was stored has been moved aside because nobody can read it. The session in use is stored again.
    private func noteLoss() {
        guard let session = held?.session else { return }
        pending.insert(
            PendingChange(
                number: nextNumber(), apply: { saved in if saved[session.id] == nil { saved.use(session) } },
                whenLate: nil), at: 0)
        saveLater()
    }

    // MARK: Writing

    /// Changes the store, after every change before this one, whether or not the caller is cancelled.
    ///
    /// A store that cannot take it now takes it later, in its turn.
    ///
    /// - Parameter late: Given the outcome, where the caller was told of a failure and the store took it later.
    func change<Outcome: Sendable>(
        _ change: @escaping @Sendable (inout SavedSessions) -> Outcome,
        late: (@Sendable (SessionKeeper, Outcome) async -> Void)? = nil
    ) async -> Result<Outcome, StoreProblem> {
        let outcome = Latest<Outcome>()
        let number = nextNumber()
        let whenLate: @Sendable (SessionKeeper) async -> Void = { keeper in
            if let late, let outcome = outcome.value { await late(keeper, outcome) }
        }
        pending.append(
            PendingChange(number: number, apply: { saved in outcome.set(change(&saved)) }, whenLate: whenLate))
        let problem = await flush()
        guard let index = pending.firstIndex(where: { $0.number == number }) else {
            if let outcome = outcome.value { return .success(outcome) }
            return .failure(problem ?? .busy)
        }
        pending[index].isLate = true
        return .failure(problem ?? .busy)
    }

    /// Gives the store all that is pending.
    ///
    /// - Returns: Why it does not take it.
    @discardableResult
    func flush() async -> StoreProblem? {
        let before = flushing
        let task = Task { () -> StoreProblem? in
            _ = await before?.value
            return await flushNow()
        }
        flushing = task
        return await task.value
    }

    /// Returns when no refresh is under way, no sign-out is being told, and no change is.
    func settle() async {
        // What an earlier run has left to be told is known then.
        await start()
        for change in passwordChanges.values { _ = await change.value }
        for flight in flights.values { _ = await flight.value }
        _ = await telling?.value
        _ = await flushing?.value
    }

    private func flushNow() async -> StoreProblem? {
        guard !pending.isEmpty else { return nil }
        var problem = await write()
        if case .damaged = problem {
            // It has been moved aside, and there is room for another.
            noteLoss()
            problem = await write()
        }
        if let problem {
            if !isStoreFailing { events.send(.storeUnwritable(problem)) }
            isStoreFailing = true
            saveLater()
        } else {
            if isStoreFailing { events.send(.storeWritableAgain) }
            isStoreFailing = false
        }
        return problem
    }

    private func write() async -> StoreProblem? {
        let batch = pending
        do throws(StoreProblem) {
            try await store.change { saved in for change in batch { change.apply(&saved) } }
        } catch {
            return error
        }
        flushes += 1
        let written = Set(batch.map(\.number))
        let late = pending.filter { written.contains($0.number) && $0.isLate }
        pending.removeAll { written.contains($0.number) }
        for change in late { Task { await change.whenLate?(self) } }
        return nil
    }

    private static let longestWait: Duration = .seconds(60)

    /// Goes on trying for as long as somebody has the client.
    private func saveLater() {
        guard saving == nil else { return }
        saving = Task { [weak self, surroundings] in
            var wait = Duration.seconds(1)
            while (try? await surroundings.sleep(wait)) != nil, await self?.isStillBehind() == true {
                wait = min(Self.longestWait, wait * 2)
            }
        }
    }

    /// Tries once more. The step that finds nothing left also ends the trying: whoever fails after it begins anew.
    private func isStillBehind() async -> Bool {
        await flush()
        guard pending.isEmpty else { return true }
        saving = nil
        return false
    }

    private func nextNumber() -> Int {
        changes += 1
        return changes
    }
}

/// What came of a change the last time it was tried.
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
