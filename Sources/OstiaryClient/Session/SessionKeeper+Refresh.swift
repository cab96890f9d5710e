import Foundation
import OstiaryContracts
import OstiaryCore

extension SessionKeeper {
    /// From reading the store to the last byte of the answer. The server answers an earlier refresh token for 30 s after its
    /// successor's first use, so a request that leaves well within that is never taken for theft.
    private static let budget: Duration = .seconds(15)
    /// Repetitions after a lost answer or a server error.
    private static let retries = 3

    /// Refreshes a session, together with everybody who asks for it meanwhile. None of them can cancel it.
    ///
    /// - Returns: The session with a token other than the one it had: a fresh one, or a sibling process's.
    @discardableResult
    func refresh(_ session: ClientSession) async -> Result<ClientSession, ClientError> {
        if let flight = flights[session.id] { return await flight.value }
        guard backoff.allows(at: surroundings.uptime()) else {
            return .failure(lastFailure ?? .temporarilyUnavailable)
        }
        let flight = Task { await fly(session) }
        flights[session.id] = flight
        let result = await flight.value
        if flights[session.id] == flight { flights[session.id] = nil }
        return result
    }

    private func fly(_ session: ClientSession) async -> Result<ClientSession, ClientError> {
        // Without it all goes well too: see SessionStore.refreshTurn().
        let turn = try? await store.refreshTurn()
        defer { turn?.end() }
        let start = surroundings.uptime()
        let stored = await store.read()
        guard !Task.isCancelled, let held = held(session.id) else { return .failure(signedOutError) }
        if held.session.accessToken != session.accessToken { return .success(held.session) }

        var current = held.session
        switch stored {
        case .found(let saved):
            guard let entry = saved[session.id] else {
                if held.isUnsaved { break }
                return await followSibling(saved, from: session)
            }
            if entry.accessToken != current.accessToken, !held.isUnsaved {
                let sibling = adopt(entry)
                if sibling.freshness(at: surroundings.uptime(), lead: lead) != .refresh { return .success(entry) }
                current = entry
            }
        case .absent: if !held.isUnsaved { return await followSibling(.none, from: session) }
        case .unavailable: break
        }
        guard let refreshToken = current.refreshToken else { return .failure(.sessionEnded(.invalidAccessToken)) }
        let (outcome, requests) = await ask(refreshToken, since: start)
        // Whoever cancelled it has signed out or signed in.
        guard !Task.isCancelled else { return .failure(signedOutError) }
        let result = await conclude(outcome, of: current)
        events.send(.refresh(failure: result.failureCode, requests: requests))
        return result
    }

    /// Uses the token of a sibling process.
    private func adopt(_ entry: ClientSession) -> HeldSession {
        let sibling = HeldSession(entry, isVerified: held?.isVerified ?? false, at: surroundings)
        events.send(.adopted)
        hold(sibling)
        return sibling
    }

    /// A sibling process has removed the session: it signed out, or somebody signed in there.
    private func followSibling(
        _ saved: SavedSessions, from session: ClientSession
    ) async -> Result<ClientSession, ClientError> {
        if let other = saved.currentSession, isOurs(other) {
            if other.accountID == session.accountID, other.accountID != nil { return .success(adopt(other).session) }
            turn(to: other)
            await companions.left(session)
            return .failure(.notSignedIn)
        }
        await leave(session)
        return .failure(.notSignedIn)
    }

    /// Another process has signed out.
    private func leave(_ session: ClientSession) async {
        forget(.elsewhere)
        events.send(.signOut(.elsewhere))
        await companions.left(session)
    }

    // MARK: Asking

    /// Asks the server, and again with the same token where that can help.
    private func ask(_ token: Secret<String>, since start: Duration) async -> (RefreshOutcome, requests: Int) {
        var outcome = RefreshOutcome(.timedOut)
        var requests = 0
        for attempt in 0...Self.retries {
            if case .retryLater = outcome {
                let wait = Duration.milliseconds(500 << attempt) * surroundings.randomFraction()
                guard remaining(since: start) > wait, (try? await surroundings.sleep(wait)) != nil else { break }
            }
            guard remaining(since: start) > .zero, !Task.isCancelled else { break }
            requests += 1
            do {
                let answer = try await auth.exchange(Refresh(refreshToken: token), within: remaining(since: start))
                outcome = RefreshOutcome(answer, of: auth.codec)
            } catch {
                switch error {
                case .refused(let refusal): outcome = .keep(.refused(refusal))
                case .unreachable(let error): outcome = RefreshOutcome(error)
                }
            }
            switch outcome {
            case .retryAtOnce, .retryLater: continue
            case .renewed, .over, .wait, .keep: return (outcome, requests)
            }
        }
        return (outcome, requests)
    }

    private func remaining(since start: Duration) -> Duration { Self.budget - (surroundings.uptime() - start) }

    // MARK: What the answer means

    private func conclude(
        _ outcome: RefreshOutcome, of session: ClientSession
    ) async -> Result<ClientSession, ClientError> {
        switch outcome {
        case .renewed(let tokens):
            backoff.reset()
            return await commit(session.renewed(with: tokens, at: surroundings.now()), instead: session)
        case .over(let refusal): return await concludeOver(refusal, of: session)
        case .retryLater:
            backoff.fail(at: surroundings.uptime(), fraction: surroundings.randomFraction())
            return fail(.temporarilyUnavailable)
        case .wait(let seconds):
            backoff.wait(seconds, at: surroundings.uptime())
            let wait = (backoff.notBefore ?? .zero) - surroundings.uptime()
            return fail(.rateLimited(until: surroundings.now() + wait.timeInterval))
        case .retryAtOnce(let error): return fail(ClientError(error))
        case .keep(let error):
            if error == .certificatePinningFailed { events.send(.pinMismatch) }
            return fail(error)
        }
    }

    private func fail(_ error: ClientError) -> Result<ClientSession, ClientError> {
        lastFailure = error
        return .failure(error)
    }

    private enum Commit: Sendable {
        case saved
        /// A sibling process was faster.
        case superseded(ClientSession)
        case gone
    }

    /// Puts the renewed session where the one that was refreshed still is, and nowhere else: in memory if it is the one in
    /// use, in the store if it was not signed out.
    private func commit(
        _ renewed: ClientSession, instead former: ClientSession
    ) async -> Result<ClientSession, ClientError> {
        let isUnsaved = held(former.id)?.isUnsaved ?? false
        if var held = held(former.id) {
            held.replace(with: renewed, at: surroundings)
            held.isVerified = true
            hold(held)
        }
        let result = await change { saved -> Commit in
            guard let entry = saved[former.id] else {
                guard isUnsaved else { return .gone }
                saved.use(renewed)
                return .saved
            }
            guard isUnsaved || entry.refreshToken == former.refreshToken else { return .superseded(entry) }
            saved[former.id] = renewed
            return .saved
        }
        guard let now = held(former.id) else { return .failure(signedOutError) }
        switch result {
        case .success(.saved):
            mark(renewed, isUnsaved: false)
            return .success(now.session)
        case .success(.superseded(let entry)): return .success(adopt(entry).session)
        case .success(.gone):
            await leave(former)
            return .failure(.notSignedIn)
        case .failure:
            // It stays good for as long as this process lives, and is stored as soon as that can be done.
            mark(renewed, isUnsaved: true)
            return .success(now.session)
        }
    }

    /// The token was refused for good; unless a sibling process has another, the session is over.
    private func concludeOver(
        _ refusal: AuthError, of session: ClientSession
    ) async -> Result<ClientSession, ClientError> {
        let stored = await store.read()
        guard let held = held(session.id) else { return .failure(signedOutError) }
        if held.session.refreshToken != session.refreshToken { return .success(held.session) }
        if case .found(let saved) = stored, let entry = saved[session.id], !held.isUnsaved,
            entry.refreshToken != session.refreshToken
        {
            return .success(adopt(entry).session)
        }
        await end(session.id, refusal)
        return .failure(.sessionEnded(refusal))
    }
}

extension Result where Success == ClientSession, Failure == ClientError {
    /// What to count the failure as; nil for success.
    fileprivate var failureCode: FailureCode? {
        if case .failure(let error) = self { FailureCode(error) } else { nil }
    }
}
