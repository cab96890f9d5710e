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
        if let change = passwordChanges[session.id] {
            _ = await change.value
            guard let held = held(session.id) else { return .failure(signedOutError) }
            return held.session.accessToken == session.accessToken
                ? await refresh(session) : .success(held.session)
        }
        if let refusal = pacing.refusal(at: surroundings.uptime()) { return .failure(refusal) }
        let flight = Task {
            let result = await fly(session)
            // In the same step, so that nobody who asks from here on is told of this one. Who cancelled it has removed it.
            if !Task.isCancelled { flights[session.id] = nil }
            return result
        }
        flights[session.id] = flight
        return await flight.value
    }

    private func fly(_ session: ClientSession) async -> Result<ClientSession, ClientError> {
        // Without it all goes well too: see SessionStore.refreshTurn().
        let turn = try? await store.refreshTurn()
        defer { turn?.end() }
        let start = surroundings.uptime()
        let stored = await read()
        guard !Task.isCancelled, let held = held(session.id) else { return .failure(signedOutError) }
        if held.session.accessToken != session.accessToken { return .success(held.session) }

        var current = held.session
        switch stored {
        case .found(let saved):
            guard let entry = saved[session.id] else { return await followSibling(saved, from: session) }
            if entry.accessToken != current.accessToken {
                let sibling = adopt(entry)
                if sibling.freshness(at: surroundings.uptime(), lead: lead) != .refresh { return .success(entry) }
                current = entry
            }
        case .absent: return await followSibling(.none, from: session)
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
    @discardableResult
    func adopt(_ entry: ClientSession) -> HeldSession {
        let sibling = HeldSession(entry, isVerified: held?.isVerified ?? false, at: surroundings)
        events.send(.adopted)
        hold(sibling)
        return sibling
    }

    /// A sibling process has removed the session: it signed out, or somebody signed in there.
    private func followSibling(
        _ saved: SavedSessions, from session: ClientSession
    ) async -> Result<ClientSession, ClientError> {
        if let other = saved.currentSession, other.belongs(to: auth) {
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
            pacing.reset()
            return await commit(session.renewed(with: tokens, at: surroundings.now()), instead: session)
        case .over(let refusal): return await concludeOver(refusal, of: session)
        case .retryLater:
            pacing.backOff(at: surroundings.uptime(), fraction: surroundings.randomFraction())
            return fail(.temporarilyUnavailable)
        case .wait(let seconds):
            pacing.wait(seconds, at: surroundings.uptime())
            let wait = (pacing.notBefore ?? .zero) - surroundings.uptime()
            return fail(.rateLimited(until: surroundings.now() + wait.timeInterval))
        case .retryAtOnce(let error): return fail(ClientError(error))
        case .keep(let error):
            if error == .certificatePinningFailed { events.send(.pinMismatch) }
            return fail(error)
        }
    }

    private func fail(_ error: ClientError) -> Result<ClientSession, ClientError> {
        pacing.note(error)
        return .failure(error)
    }

    private enum Commit: Sendable {
        case saved
        /// A sibling process was faster.
        case superseded(ClientSession)
        case gone
    }

    /// Puts the renewed tokens where those that were refreshed still are, and nowhere else: in memory if the session is the
    /// one in use, in the store if it was not signed out. What else was learnt of the session meanwhile stays.
    func commit(
        _ renewed: ClientSession, instead former: ClientSession
    ) async -> Result<ClientSession, ClientError> {
        if var held = held(former.id) {
            held.replace(with: held.session.with(tokensOf: renewed), at: surroundings)
            held.isVerified = true
            hold(held)
        }
        let result = await change(late: { keeper, commit in _ = await keeper.follow(commit, renewed) }) {
            saved -> Commit in
            guard let entry = saved[former.id] else { return .gone }
            guard entry.refreshToken == former.refreshToken else { return .superseded(entry) }
            saved[former.id] = entry.with(tokensOf: renewed)
            return .saved
        }
        // A failure: they stay good for as long as this process lives, and are stored as soon as that can be done.
        let commit = (try? result.get()) ?? .saved
        return await follow(commit, renewed)
    }

    private func follow(_ commit: Commit, _ renewed: ClientSession) async -> Result<ClientSession, ClientError> {
        guard let now = held(renewed.id) else { return .failure(signedOutError) }
        switch commit {
        case .saved: return .success(now.session)
        case .superseded(let entry):
            return .success(entry.accessToken == now.session.accessToken ? now.session : adopt(entry).session)
        case .gone:
            await leave(now.session)
            return .failure(.notSignedIn)
        }
    }

    /// The token was refused for good; unless a sibling process has another, the session is over.
    private func concludeOver(
        _ refusal: AuthError, of session: ClientSession
    ) async -> Result<ClientSession, ClientError> {
        guard let held = held(session.id) else { return .failure(signedOutError) }
        if held.session.refreshToken != session.refreshToken { return .success(held.session) }
        if let other = await end(session, refusal) { return .success(other) }
        return .failure(.sessionEnded(refusal))
    }
}

extension Result where Success == ClientSession, Failure == ClientError {
    /// What to count the failure as; nil for success.
    fileprivate var failureCode: FailureCode? {
        if case .failure(let error) = self { FailureCode(error) } else { nil }
    }
}
