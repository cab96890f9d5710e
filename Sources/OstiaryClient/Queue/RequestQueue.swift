import Foundation
import OstiaryContracts
import OstiaryCore

/// Keeps the requests that wait, and sends them in the name of whoever is signed in: in their order, one at a time.
///
/// A request leaves the queue only after its end is known. So it is sent again, with the same key, where the answer was lost
/// or the process killed; it is never forgotten, and none behind it goes first.
actor RequestQueue {
    let sending: any AuthorizedSending
    let options: QueueOptions
    let surroundings: ClientSurroundings
    let events: Broadcast<ClientEvent>

    var pass: Task<Void, Never>?
    var isAskedAgain = false
    /// Until when, by uptime, only a person's wish is reason to try, or not even that.
    var pause: (until: Duration, isTold: Bool)?
    var timer: Task<Void, Never>?
    /// In a row.
    var failures = 0
    var underWay: (owner: QueueOwner, sending: Task<Result<WireResponse, ClientError>, Never>)?
    /// Counts the sign-outs of each owner in this run: whoever waited for something meanwhile can tell.
    var departures: [QueueOwner: Int] = [:]
    /// What is to leave the store, and does with the next change of it.
    private(set) var leaving = Leaving()
    private var changing: Task<Void, Never>?

    struct Leaving: Hashable, Sendable {
        var ended: Set<QueuedRequest.ID> = []
        var departed: Set<QueueOwner> = []

        var isEmpty: Bool { ended.isEmpty && departed.isEmpty }
    }

    init(
        sending: any AuthorizedSending, options: QueueOptions, surroundings: ClientSurroundings,
        events: Broadcast<ClientEvent>
    ) {
        self.sending = sending
        self.options = options
        self.surroundings = surroundings
        self.events = events
    }

    deinit { timer?.cancel() }

    /// Takes a request in for whoever is signed in. When this returns, the store has it.
    ///
    /// - Throws: ``ClientError/notSignedIn``, ``ClientError/locked``, ``ClientError/queueFull``,
    ///   ``ClientError/invalidRequest(_:)`` for what could never be sent, ``ClientError/store(_:)``. It is not queued then.
    func enqueue(_ request: WireRequest, id: QueuedRequest.ID) async throws(ClientError) {
        let before = departures
        let owner = try await sending.person()
        let queued = QueuedRequest(id: id, owner: owner, request: request, queuedAt: surroundings.now())
        let limits = options.limits
        try queued.check(limits)
        let admission: SavedQueue.Admission
        do { admission = try await change { $0.admit(queued, limits) } } catch { throw .store(error) }
        guard departures[owner] == before[owner] else {
            // They signed out meanwhile, and their queue was cleared before this came in.
            await end([id])
            throw .notSignedIn
        }
        switch admission {
        case .full: throw .queueFull
        case .known: break
        case .admitted(let depth): events.send(.queued(id, depth: depth))
        }
        wake(.queued)
    }

    /// What waits for whoever is signed in, in its order.
    func waiting() async throws(ClientError) -> [QueuedRequest] {
        let owner = try await sending.person()
        do { return try await options.store.read().requests(of: owner) } catch { throw .store(error) }
    }

    /// Takes a request of whoever is signed in out again.
    ///
    /// - Returns: False if it does not wait, or if anything is just being sent: it may be on its way.
    func withdraw(_ id: QueuedRequest.ID) async throws(ClientError) -> Bool {
        let owner = try await sending.person()
        guard let turn = try? await options.store.sendingTurn() else { return false }
        defer { turn.end() }
        do {
            return try await change { queue in
                guard let index = queue.requests.firstIndex(where: { $0.id == id && $0.owner == owner }) else {
                    return false
                }
                queue.requests.remove(at: index)
                return true
            }
        } catch {
            throw .store(error)
        }
    }

    // MARK: Sign-out

    /// Clears what somebody had queued, because their session is gone: by sign-out, by the server's word, or by another
    /// process.
    ///
    /// To be called after the session is gone: what is queued in between would stay.
    func clear(_ owner: QueueOwner) async {
        departures[owner, default: 0] += 1
        if let underWay, underWay.owner == owner { underWay.sending.cancel() }
        leaving.departed.insert(owner)
        // One that cannot be written now is cleared before anything else is sent or taken in.
        try? await change { _ in }
    }

    /// Clears what nobody with a session has queued on a server: a process was killed while somebody signed out.
    func keepOnly(_ owners: Set<QueueOwner>, contract: String, baseURL: BaseURL) async {
        guard let saved = try? await options.store.read() else { return }
        for owner in Set(saved.requests.map(\.owner)).subtracting(owners)
        where owner.contract == contract && owner.baseURL == baseURL {
            await clear(owner)
        }
    }

    // MARK: Store

    /// Removes requests that have ended; those that the store does not let go yet are not sent again in this run.
    ///
    /// - Returns: Whether the store has let go.
    @discardableResult
    func end(_ ids: Set<QueuedRequest.ID>) async -> Bool {
        leaving.ended.formUnion(ids)
        return (try? await change { _ in }) != nil
    }

    /// Changes the store after all changes that were asked for before.
    ///
    /// In turn, so that what is to leave is removed once: what the same person queues after they are back is not among it.
    /// In a task of its own, because a caller who is cancelled does not know whether it was done.
    func change<Value: Sendable>(
        _ change: @escaping @Sendable (inout SavedQueue) -> Value
    ) async throws(StoreProblem) -> Value {
        let before = changing
        let task = Task { () async -> Result<Value, StoreProblem> in
            await before?.value
            return await self.changeNow(change)
        }
        changing = Task { _ = await task.value }
        return try await task.value.get()
    }

    private func changeNow<Value: Sendable>(
        _ change: @escaping @Sendable (inout SavedQueue) -> Value
    ) async -> Result<Value, StoreProblem> {
        let leaving = leaving
        do {
            let (value, cleared) = try await options.store.change { queue in
                queue.requests.removeAll { leaving.ended.contains($0.id) }
                let count = queue.requests.count
                queue.requests.removeAll { leaving.departed.contains($0.owner) }
                let cleared = count - queue.requests.count
                return (change(&queue), cleared)
            }
            self.leaving.ended.subtract(leaving.ended)
            self.leaving.departed.subtract(leaving.departed)
            if cleared > 0 { events.send(.queueCleared(count: cleared)) }
            return .success(value)
        } catch {
            return .failure(error)
        }
    }
}
