import Foundation
import OstiaryContracts
import OstiaryCore

/// The refresh of a session: single flight, the store's refresh lease, the request, and the commit of its answer.
///
/// Owned by one ``SessionKeeper`` and used in its isolation only.
struct RefreshCoordinator {
    private let auth: RemoteAuth
    private let store: any SessionStore
    private let system: ClientDependencies
    private let events: Broadcast<ClientEvent>
    private let current: CurrentSession
    private let storage: SessionStorage
    private let tasks: TokenTasks
    private let pacing: RefreshPacing
    private let transitions: SessionTransitions

    init(
        auth: RemoteAuth, store: any SessionStore, system: ClientDependencies, events: Broadcast<ClientEvent>,
        current: CurrentSession, storage: SessionStorage, tasks: TokenTasks, pacing: RefreshPacing,
        transitions: SessionTransitions
    ) {
        self.auth = auth
        self.store = store
        self.system = system
        self.events = events
        self.current = current
        self.storage = storage
        self.tasks = tasks
        self.pacing = pacing
        self.transitions = transitions
    }

    /// Refreshes a session as a single flight that concurrent callers share. The cancellation of a caller does not
    /// cancel it.
    ///
    /// - Returns: The session with an access token other than the one it had: a fresh one, or a sibling process's.
    @discardableResult
    func refresh(
        _ session: ClientSession, on keeper: isolated SessionKeeper
    ) async -> Result<ClientSession, ClientError> {
        if let refresh = tasks.refresh(of: session.id) { return await refresh.value }
        if let change = tasks.passwordChange(of: session.id) {
            _ = await change.value
            guard let held = current.held(session.id) else { return .failure(current.signedOutError) }
            return held.session.accessToken == session.accessToken
                ? await refresh(session, on: keeper) : .success(held.session)
        }
        if let refusal = pacing.refusal(at: system.uptime()) { return .failure(refusal) }
        let refresh = Task {
            let result = await performRefresh(session, on: keeper)
            // In the same step, so that a later caller does not join a finished refresh. The canceller has removed a
            // cancelled one.
            if !Task.isCancelled { tasks.refreshEnded(of: session.id) }
            return result
        }
        tasks.begin(refresh, of: session.id)
        return await refresh.value
    }

    private func performRefresh(
        _ session: ClientSession, on keeper: isolated SessionKeeper
    ) async -> Result<ClientSession, ClientError> {
        // Optional: the refresh is correct without the lease. See SessionStore.refreshLease().
        let lease = try? await store.refreshLease()
        defer { lease?.end() }
        let request = RefreshRequest(auth: auth, system: system, startedAt: system.uptime())
        let stored = await storage.read(on: keeper)
        guard !Task.isCancelled, let held = current.held(session.id) else { return .failure(current.signedOutError) }
        if held.session.accessToken != session.accessToken { return .success(held.session) }

        var latest = held.session
        switch stored {
        case .found(let saved):
            guard let entry = saved[session.id] else {
                return await transitions.followSibling(saved, from: session, on: keeper)
            }
            if entry.accessToken != latest.accessToken {
                let sibling = transitions.adoptTokens(entry, on: keeper)
                if sibling.freshness(at: system.uptime(), lead: auth.refreshLead) != .refresh {
                    return .success(entry)
                }
                latest = entry
            }
        case .absent: return await transitions.followSibling(.none, from: session, on: keeper)
        case .unavailable(let problem):
            // The server accepts a refresh token until its successor is used. If the successor is in memory only, a
            // process that is killed loses the session.
            if storage.holdsRefreshToken(of: latest) { return fail(.store(problem)) }
        }
        guard let refreshToken = latest.refreshToken else { return .failure(.sessionEnded(.invalidAccessToken)) }
        // A program that does not know the key may have stored the session without it.
        let isKeyLost = latest.boundKey == nil && BoundKey.thumbprint(in: latest.accessToken) != nil
        let (outcome, requests) =
            isKeyLost ? (.over(.dpopRequired), 0) : await request.send(refreshToken, provenBy: latest.boundKey)
        // Cancelled by a sign-out or by another sign-in.
        guard !Task.isCancelled else { return .failure(current.signedOutError) }
        let result = await conclude(outcome, of: latest, on: keeper)
        events.send(.refresh(failure: result.failureCode, requests: requests))
        return result
    }

    // MARK: Outcome

    private func conclude(
        _ outcome: RefreshOutcome, of session: ClientSession, on keeper: isolated SessionKeeper
    ) async -> Result<ClientSession, ClientError> {
        switch outcome {
        case .renewed(let tokens):
            pacing.reset()
            return await commit(session.renewed(with: tokens, at: system.now()), instead: session, on: keeper)
        case .over(let refusal): return await conclude(refusal, of: session, on: keeper)
        case .retryLater:
            pacing.backOff(at: system.uptime(), fraction: system.randomFraction())
            return fail(.temporarilyUnavailable)
        case .wait(let seconds):
            pacing.wait(seconds, at: system.uptime())
            let wait = (pacing.notBefore ?? .zero) - system.uptime()
            return fail(.rateLimited(until: system.now() + wait.timeInterval))
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

    /// Handles a definite refusal of the refresh token: the session ends unless a sibling process has stored another
    /// token, or is about to.
    private func conclude(
        _ refusal: AuthError, of session: ClientSession, on keeper: isolated SessionKeeper
    ) async -> Result<ClientSession, ClientError> {
        let isPending = await isPasswordChangePending(in: session, after: refusal, on: keeper)
        guard let held = current.held(session.id) else { return .failure(current.signedOutError) }
        if held.session.refreshToken != session.refreshToken { return .success(held.session) }
        if isPending {
            pacing.backOff(at: system.uptime(), fraction: system.randomFraction())
            return fail(.temporarilyUnavailable)
        }
        if let other = await transitions.end(session, refusal, on: keeper) { return .success(other) }
        return .failure(.sessionEnded(refusal))
    }

    /// Returns `true` if the refusal can come from a password change of a sibling process, which has not stored the
    /// tokens of the response yet.
    private func isPasswordChangePending(
        in session: ClientSession, after refusal: AuthError, on keeper: isolated SessionKeeper
    ) async -> Bool {
        guard refusal == .refreshTokenRevoked, case .found(let saved) = await storage.read(on: keeper),
            let entry = saved[session.id]
        else { return false }
        return entry.accessToken == session.accessToken && entry.isPasswordChangePending(at: system.now())
    }

    // MARK: Commit

    /// The outcome of committing renewed tokens to the store.
    enum Commit: Sendable {
        /// The tokens were stored.
        case saved
        /// A sibling process had stored other tokens first.
        case superseded(ClientSession)
        /// The session is no longer in the store.
        case gone
    }

    /// Commits renewed tokens by compare-and-set on the refresh token that was used: in memory if the session is the
    /// one in use, in the store if it was not signed out. Details of the session that changed in the meantime are kept.
    ///
    /// - Parameter replacesOthers: `true` if the renewed tokens also replace those that a sibling process has stored.
    func commit(
        _ renewed: ClientSession, instead former: ClientSession, replacesOthers: Bool = false,
        on keeper: isolated SessionKeeper
    ) async -> Result<ClientSession, ClientError> {
        if var held = current.held(former.id) {
            held.replace(with: held.session.with(tokensOf: renewed), at: system)
            held.isVerified = true
            current.set(held, on: keeper)
        }
        let result = await storage.change(
            late: { keeper, commit in await keeper.follow(commit, renewed) }, on: keeper
        ) { saved -> Commit in
            guard let entry = saved[former.id] else { return .gone }
            guard replacesOthers || entry.refreshToken == former.refreshToken else { return .superseded(entry) }
            saved[former.id] = entry.with(tokensOf: renewed)
            return .saved
        }
        // On a failure the tokens stay valid in this process's memory, and the write-behind stores them as soon as it
        // can.
        let commit = (try? result.get()) ?? .saved
        return await follow(commit, renewed, on: keeper)
    }

    /// Applies the outcome of a commit to memory.
    @discardableResult
    func follow(
        _ commit: Commit, _ renewed: ClientSession, on keeper: isolated SessionKeeper
    ) async -> Result<ClientSession, ClientError> {
        guard let now = current.held(renewed.id) else { return .failure(current.signedOutError) }
        switch commit {
        case .saved: return .success(now.session)
        case .superseded(let entry):
            return .success(
                entry.accessToken == now.session.accessToken
                    ? now.session : transitions.adoptTokens(entry, on: keeper).session)
        case .gone:
            await transitions.sessionRemovedElsewhere(now.session, on: keeper)
            return .failure(.notSignedIn)
        }
    }
}

extension RemoteAuth {
    /// The time before a token's expiry in which it is refreshed, as the contract states.
    var refreshLead: Duration { .seconds(contract.client.refreshLeadSeconds) }
}

extension Result where Success == ClientSession, Failure == ClientError {
    /// The code under which the failure is counted; `nil` for success.
    fileprivate var failureCode: FailureCode? {
        if case .failure(let error) = self { FailureCode(error) } else { nil }
    }
}
