import Foundation
import OstiaryContracts
import OstiaryCore
import Synchronization

/// The queue of the waiting requests, sent as the signed-in user: in order, one at a time.
///
/// A request is removed only after its outcome is known (at-least-once delivery). It is sent again, with the same key,
/// if the answer was lost or the process was killed; it is never lost, and no later request overtakes it.
actor RequestQueue {
    let sending: any AuthorizedSending
    let options: QueueOptions
    let system: ClientDependencies
    let events: Broadcast<ClientEvent>

    /// The pass whose callback the current task runs in: waiting for its end there would be a deadlock.
    @TaskLocal static var callbackPass: Task<Void, Never>?

    var pass: Task<Void, Never>?
    var isAskedAgain = false
    /// The end of a pause, by uptime, before which only a call to ``sendNow()`` causes an attempt; not even that if the
    /// server asked for the pause.
    var pause: (until: Duration, isFromServer: Bool)?
    var timer: Task<Void, Never>?
    /// The number of consecutive failures.
    var failures = 0 { didSet { hasFailed.store(failures > 0, ordering: .releasing) } }
    /// `true` if ``failures`` is more than 0, for code that does not wait for the actor.
    let hasFailed = Atomic(false)
    var underWay: (owner: QueueOwner, sending: Task<Result<WireResponse, ClientError>, Never>)?
    /// The number of sign-outs of each owner in this run, by which code that was suspended detects a sign-out.
    var departures: [QueueOwner: Int] = [:]
    /// The requests to be removed from the store with its next change.
    private(set) var leaving = Leaving()
    private var changing: Task<Void, Never>?

    struct Leaving: Hashable, Sendable {
        var ended: Set<QueuedRequest.ID> = []
        var departed: Set<QueueOwner> = []

        var isEmpty: Bool { ended.isEmpty && departed.isEmpty }
    }

    init(
        sending: any AuthorizedSending, options: QueueOptions, system: ClientDependencies,
        events: Broadcast<ClientEvent>
    ) {
        self.sending = sending
        self.options = options
        self.system = system
        self.events = events
    }

    deinit { timer?.cancel() }

    /// Queues a request for the signed-in user. When this returns, the store has it.
    ///
    /// - Throws: ``ClientError/notSignedIn``, ``ClientError/locked``, ``ClientError/queueFull``,
    ///   ``ClientError/invalidRequest(_:)`` for a request that can never be sent, ``ClientError/store(_:)``. The
    ///   request is not queued then.
    func enqueue(_ request: WireRequest, id: QueuedRequest.ID) async throws(ClientError) {
        let before = departures
        let owner = try await sending.person()
        let queued = QueuedRequest(id: id, owner: owner, request: request, queuedAt: system.now())
        let limits = options.limits
        try queued.check(limits)
        let admission: SavedQueue.Admission
        do { admission = try await change { $0.admit(queued, limits) } } catch { throw .store(error) }
        guard departures[owner] == before[owner] else {
            // The user signed out meanwhile, and their queue was cleared before this request was stored.
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

    /// Returns the waiting requests of the signed-in user, in order.
    func waiting() async throws(ClientError) -> [QueuedRequest] {
        let owner = try await sending.person()
        do { return try await options.store.read().requests(of: owner) } catch { throw .store(error) }
    }

    /// Removes a request of the signed-in user.
    ///
    /// - Returns: False if it is not waiting, or if any request is being sent: it may be in flight.
    func withdraw(_ id: QueuedRequest.ID) async throws(ClientError) -> Bool {
        let owner = try await sending.person()
        guard let lease = try? await options.store.sendLease() else { return false }
        defer { lease.end() }
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

    /// Removes the queued requests of an owner whose session has ended: by sign-out, by the server, or in another
    /// process.
    ///
    /// Call it after the session is removed: a request queued in between would stay.
    func clear(_ owner: QueueOwner) async {
        departures[owner, default: 0] += 1
        if let underWay, underWay.owner == owner { underWay.sending.cancel() }
        leaving.departed.insert(owner)
        // A removal that cannot be written now is repeated before anything else is sent or queued.
        try? await change { _ in }
    }

    /// Removes the requests on a server whose owner has no session, left by a process that was killed during a
    /// sign-out.
    func keepOnly(_ owners: Set<QueueOwner>, contract: String, baseURL: BaseURL) async {
        guard let saved = try? await options.store.read() else { return }
        for owner in Set(saved.requests.map(\.owner)).subtracting(owners)
        where owner.contract == contract && owner.baseURL == baseURL {
            await clear(owner)
        }
    }

    // MARK: Store

    /// Removes requests that have ended; those that the store fails to remove are not sent again in this run.
    ///
    /// - Returns: True if the store has removed them.
    @discardableResult
    func end(_ ids: Set<QueuedRequest.ID>) async -> Bool {
        leaving.ended.formUnion(ids)
        return (try? await change { _ in }) != nil
    }

    /// Changes the store after all earlier changes.
    ///
    /// Changes are serialized so that pending removals are applied once: a request that the same user queues after
    /// signing in again is not among them. Each runs in its own task, because a cancelled caller would not know whether
    /// the change was made.
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
