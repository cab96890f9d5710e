import Foundation
import OstiaryContracts
import OstiaryCore

extension RequestQueue {
    /// Why the queue looks whether it can send.
    enum Reason: Hashable, Sendable {
        case signedIn, queued, networkSeen, timer
        /// The app or the person wants it now: only the server's own word stands against it.
        case asked
    }

    /// Begins to send what waits, unless it is to wait longer.
    func wake(_ reason: Reason) {
        if let pause, pause.until > surroundings.uptime(), pause.isTold || reason != .asked {
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

    /// Sends what can be sent now, and returns when it is sent or has to wait.
    func sendNow() async {
        wake(.asked)
        await pass?.value
    }

    /// Lets the queue look again, by itself, when it is due.
    private func arm(until due: Duration) {
        timer?.cancel()
        timer = Task { [weak self, surroundings] in
            guard (try? await surroundings.sleep(until: due)) != nil else { return }
            await self?.wake(.timer)
        }
    }

    private func sendWaiting() async {
        guard sending.personNow != nil else { return }
        pause = nil
        let turn: any SendingTurn
        do { turn = try await options.store.sendingTurn() } catch {
            // Whoever sends sends ours as well, if they are here for the same person; if not, we are next.
            guard error == .busy else { return hold(FailureCode(error), depth: 0) }
            return arm(until: surroundings.uptime() + QueuePace.otherProcess)
        }
        defer { turn.end() }
        while await sendFirst() {}
    }

    /// Sends the first request of whoever is signed in now.
    ///
    /// - Returns: Whether there may be another to send.
    private func sendFirst() async -> Bool {
        guard let owner = sending.personNow else { return false }
        let departuresBefore = departures[owner]
        let waiting: [QueuedRequest]
        do {
            // What has ended goes first: after a crash it would be sent again, behind what is sent now.
            if !leaving.isEmpty { try await change { _ in } }
            waiting = try await options.store.read().requests(of: owner)
        } catch {
            hold(FailureCode(error), depth: 0)
            return false
        }
        guard departures[owner] == departuresBefore else { return true }
        guard let first = waiting.first else { return false }
        let result = await send(first)
        // Signed out meanwhile: the request went with its account, and nobody waits to hear of it.
        guard departures[owner] == departuresBefore else { return true }
        let verdict =
            switch result {
            case .success(let response): QueueVerdict(response)
            case .failure(let error): QueueVerdict(error, now: surroundings.now())
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

    /// - Returns: Whether there may be another to send.
    private func settle(_ queued: QueuedRequest, _ verdict: QueueVerdict, among waiting: [QueuedRequest]) async -> Bool
    {
        let depth = waiting.count
        switch verdict {
        case .sent(let response):
            failures = 0
            await options.whenEnded(queued, .sent(response))
            events.send(.queueSent(queued.id, depth: depth - 1))
            return await letGo(queued)
        case .dropped(let response, let code):
            failures = 0
            await options.whenEnded(queued, .dropped(response, code))
            events.send(.queueDropped(queued.id, failure: code, depth: depth - 1))
            return await letGo(queued)
        case .unanswered(let code):
            hold(code, depth: depth)
            return false
        case .later(let code, let told):
            hold(code, depth: depth, pauses: true, told: told)
            return false
        case .ownerAway: return false
        case .sessionOver:
            // Those alone that waited when the session ended: they may be signed in again by now.
            await end(Set(waiting.map(\.id)))
            events.send(.queueCleared(count: depth))
            return true
        }
    }

    private func letGo(_ queued: QueuedRequest) async -> Bool {
        if await end([queued.id]) { return true }
        hold("store_unwritable", depth: 0)
        return false
    }

    /// - Parameters:
    ///   - pauses: Whether a sign of the network is no reason to try earlier: the server has answered.
    private func hold(_ code: FailureCode, depth: Int, pauses: Bool = false, told: Duration? = nil) {
        failures += 1
        let delay = QueuePace.delay(failures: failures, fraction: surroundings.randomFraction(), told: told)
        let due = surroundings.uptime() + delay
        pause = pauses ? (due, told != nil) : nil
        events.send(.queueHeld(failure: code, depth: depth))
        arm(until: due)
    }
}

extension RequestQueue {
    /// Requests get through: what could not be sent is tried again.
    private func noteNetwork() {
        if failures > 0 { wake(.networkSeen) }
    }

    /// A queue that sends in the name of a keeper's sessions, and subscribes to them: the keeper does not know it.
    init(
        of keeper: SessionKeeper, requests: AuthorizedRequests, options: QueueOptions, surroundings: ClientSurroundings
    ) {
        self.init(
            sending: SignedInSending(requests: requests, sessions: keeper), options: options,
            surroundings: surroundings, events: keeper.events)
        watch(keeper)
        keeper.observe(
            QueueSessionObserver(
                queue: self, contract: requests.auth.contract.name, baseURL: requests.auth.baseURL))
    }

    /// Wakes the queue whenever somebody signs in or comes to the fore, and whenever the network has shown that it works.
    private nonisolated func watch(_ keeper: SessionKeeper) {
        keeper.events.observe { [weak self] event in
            guard case .request(status: .some(200..<300), failure: nil) = event else { return }
            Task { await self?.noteNetwork() }
        }
        Task { [weak self, states = keeper.states] in
            for await case .signedIn in states { await self?.wake(.signedIn) }
        }
    }
}
