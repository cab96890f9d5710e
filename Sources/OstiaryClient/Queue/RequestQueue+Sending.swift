import Foundation
import OstiaryContracts
import OstiaryCore
import Synchronization

extension RequestQueue {
    /// The event that makes the queue check whether it can send.
    enum Reason: Hashable, Sendable {
        case signedIn, queued, networkSeen, timer
        /// A request by the app or the user: only a pause that the server asked for prevents it.
        case asked
    }

    /// Begins to send the waiting requests, unless a pause is in force.
    func wake(_ reason: Reason) {
        if let pause, pause.until > system.uptime(), pause.isFromServer || reason != .asked {
            return arm(until: pause.until)
        }
        guard pass == nil else {
            isAskedAgain = true
            return
        }
        pass = Task {
            repeat {
                isAskedAgain = false
                await sendWaiting()
            } while isAskedAgain && pause == nil
            pass = nil
        }
    }

    /// Sends what can be sent now; returns when it is sent or must wait, in the callback of an outcome immediately.
    func sendNow() async {
        wake(.asked)
        guard let pass, pass != Self.callbackPass else { return }
        await pass.value
    }

    /// Schedules the next check by the queue itself.
    private func arm(until due: Duration) {
        timer?.cancel()
        timer = Task { [weak self, system] in
            guard (try? await system.sleep(until: due)) != nil else { return }
            await self?.wake(.timer)
        }
    }

    private func sendWaiting() async {
        guard sending.personNow != nil else { return }
        pause = nil
        let lease: any SendLease
        do { lease = try await options.store.sendLease() } catch {
            // The process that sends also sends these requests if it has the same user; if not, this queue is next.
            guard error == .busy else { return hold(FailureCode(error), depth: 0) }
            return arm(until: system.uptime() + QueuePace.otherProcess)
        }
        defer { lease.end() }
        while await sendFirst() {}
    }

    /// Sends the first request of the current user.
    ///
    /// - Returns: True if there may be another request to send.
    private func sendFirst() async -> Bool {
        guard let owner = sending.personNow else { return false }
        let departuresBefore = departures[owner]
        let waiting: [QueuedRequest]
        do {
            // Requests that have ended are removed first: after a crash they would be sent again, behind the one that
            // is sent now.
            if !leaving.isEmpty { try await change { _ in } }
            waiting = try await options.store.read().requests(of: owner)
        } catch {
            hold(FailureCode(error), depth: 0)
            return false
        }
        guard departures[owner] == departuresBefore else { return true }
        guard let first = waiting.first else { return false }
        let result = await send(first)
        // The user signed out meanwhile: the request was removed with the session, and its outcome is not reported.
        guard departures[owner] == departuresBefore else { return true }
        let verdict =
            switch result {
            case .success(let response): QueueVerdict(response)
            case .failure(let error): QueueVerdict(error, now: system.now())
            }
        return await settle(first, verdict, among: waiting)
    }

    private func send(_ queued: QueuedRequest) async -> Result<WireResponse, ClientError> {
        let sending = sending
        let task = Task { () async -> Result<WireResponse, ClientError> in
            do throws(ClientError) {
                return .success(try await sending.send(queued.keyed, as: queued.owner))
            } catch {
                return .failure(error)
            }
        }
        underWay = (queued.owner, task)
        defer { underWay = nil }
        return await task.value
    }

    /// - Returns: True if there may be another request to send.
    private func settle(_ queued: QueuedRequest, _ verdict: QueueVerdict, among waiting: [QueuedRequest]) async -> Bool
    {
        let depth = waiting.count
        switch verdict {
        case .sent(let response):
            failures = 0
            await report(.sent(response), of: queued)
            events.send(.queueSent(queued.id, depth: depth - 1))
            return await discard(queued)
        case .dropped(let response, let code):
            failures = 0
            await report(.dropped(response, code), of: queued)
            events.send(.queueDropped(queued.id, failure: code, depth: depth - 1))
            return await discard(queued)
        case .unanswered(let code):
            hold(code, depth: depth)
            return false
        case .later(let code, let retryAfter):
            hold(code, depth: depth, pauses: true, retryAfter: retryAfter)
            return false
        case .ownerAway: return false
        case .sessionOver:
            // Only the requests that waited when the session ended: the user may have signed in again by now.
            await end(Set(waiting.map(\.id)))
            events.send(.queueCleared(count: depth))
            return true
        }
    }

    private func report(_ outcome: QueueOutcome, of queued: QueuedRequest) async {
        await Self.$callbackPass.withValue(pass) { await options.whenEnded(queued, outcome) }
    }

    private func discard(_ queued: QueuedRequest) async -> Bool {
        if await end([queued.id]) { return true }
        hold("store_unwritable", depth: 0)
        return false
    }

    /// - Parameters:
    ///   - pauses: `true` if a sign of the network does not shorten the delay, because the server has answered.
    private func hold(_ code: FailureCode, depth: Int, pauses: Bool = false, retryAfter: Duration? = nil) {
        failures += 1
        let delay = QueuePace.delay(failures: failures, fraction: system.randomFraction(), retryAfter: retryAfter)
        let due = system.uptime() + delay
        pause = pauses ? (due, retryAfter != nil) : nil
        events.send(.queueHeld(failure: code, depth: depth))
        arm(until: due)
    }
}

extension RequestQueue {
    /// Wakes the queue after failures, because another request got through.
    private func noteNetwork() {
        if failures > 0 { wake(.networkSeen) }
    }

    /// Creates a queue that sends for the sessions of a keeper and subscribes to them; the keeper does not refer to it
    /// otherwise.
    init(
        of keeper: SessionKeeper, requests: AuthorizedRequests, options: QueueOptions, system: ClientDependencies
    ) {
        self.init(
            sending: SignedInSending(requests: requests, sessions: keeper), options: options,
            system: system, events: keeper.events)
        watch(keeper)
        keeper.observe(
            QueueSessionObserver(
                queue: self, contract: requests.auth.contract.name, baseURL: requests.auth.baseURL))
    }

    /// Wakes the queue when a user signs in or becomes the current one, and when another request shows that the network
    /// works.
    private nonisolated func watch(_ keeper: SessionKeeper) {
        keeper.events.observe { [weak self] event in
            guard case .request(status: .some(200..<300), failure: nil) = event else { return }
            // Every request comes here: a task for each would wake a thread.
            guard let self, hasFailed.load(ordering: .acquiring) else { return }
            Task { await self.noteNetwork() }
        }
        Task { [weak self, states = keeper.states] in
            for await case .signedIn in states { await self?.wake(.signedIn) }
        }
    }
}
