import OstiaryContracts
import OstiaryCore

/// The source of access tokens for requests that cannot use the published one: due, expired, or refused.
///
/// Owned by one ``SessionKeeper`` and used in its isolation only.
struct TokenProvider {
    private let auth: RemoteAuth
    private let appLock: AppLock?
    private let system: ClientDependencies
    private let events: Broadcast<ClientEvent>
    private let current: CurrentSession
    private let storage: SessionStorage
    private let tasks: TokenTasks
    private let pacing: RefreshPacing
    private let timer: RefreshTimer
    private let lookup: SessionLookup
    private let transitions: SessionTransitions
    private let refreshes: RefreshCoordinator

    init(
        auth: RemoteAuth, appLock: AppLock?, system: ClientDependencies, events: Broadcast<ClientEvent>,
        current: CurrentSession, storage: SessionStorage, tasks: TokenTasks, pacing: RefreshPacing, timer: RefreshTimer,
        lookup: SessionLookup, transitions: SessionTransitions, refreshes: RefreshCoordinator
    ) {
        self.auth = auth
        self.appLock = appLock
        self.system = system
        self.events = events
        self.current = current
        self.storage = storage
        self.tasks = tasks
        self.pacing = pacing
        self.timer = timer
        self.lookup = lookup
        self.transitions = transitions
        self.refreshes = refreshes
    }

    /// Returns a token of the session in use, refreshed first if necessary.
    func token(on keeper: isolated SessionKeeper) async throws(ClientError) -> IssuedToken {
        // A sibling process may have signed in.
        if current.held == nil, let problem = await lookup.lookUp(on: keeper) { throw .store(problem) }
        guard let held = current.held else { throw current.signedOutError }
        let uptime = system.uptime()
        switch held.freshness(at: uptime, lead: auth.refreshLead) {
        case .use: return held.token
        case .useAndRefresh:
            if held.session.refreshToken != nil { Task { await refreshes.refresh(held.session, on: keeper) } }
            return held.token
        case .refresh:
            guard held.session.refreshToken != nil else {
                // The wall clock may have been set since an earlier run: then the server decides about the token.
                if held.isUsable(at: uptime) || !held.isExpiryMeasured { return held.token }
                return try await tokenOfAnotherProcess(insteadOf: held.token, refusal: .invalidAccessToken, on: keeper)
            }
            do {
                return try await renewed(held, on: keeper)
            } catch {
                switch error {
                case .sessionEnded, .notSignedIn: throw error
                // The failure may be transient, and the token still works.
                default: break
                }
                guard let now = current.held(held.session.id), now.isUsable(at: system.uptime()) else {
                    throw error
                }
                return now.token
            }
        }
    }

    /// Returns a replacement for a token that received a 401: the current token if it is another, else a fresh one.
    ///
    /// - Parameter refusal: The server's reason for the 401, with which the session ends if it ends.
    func replacement(
        for used: IssuedToken, refusal: AuthError, on keeper: isolated SessionKeeper
    ) async throws(ClientError) -> IssuedToken {
        let token = try await next(after: used, refusal: refusal, on: keeper)
        guard appLock?.mayUse ?? true else { throw current.lockedError }
        return token
    }

    private func next(
        after used: IssuedToken, refusal: AuthError, on keeper: isolated SessionKeeper
    ) async throws(ClientError) -> IssuedToken {
        guard appLock?.mayUse ?? true else { throw current.lockedError }
        guard let held = current.held(used.session) else { throw current.signedOutError }
        guard held.token.token == used.token else { return held.token }
        guard held.session.refreshToken != nil else {
            return try await tokenOfAnotherProcess(insteadOf: used, refusal: refusal, on: keeper)
        }
        // Joining a refresh in progress does not count against the rate limit.
        guard tasks.refresh(of: used.session) != nil || pacing.takeReplacement(at: system.uptime()) else {
            throw .unauthorized
        }
        return try await renewed(held, on: keeper)
    }

    /// Uses the token of a sibling process that has signed in; without one, ends a session that cannot be refreshed.
    private func tokenOfAnotherProcess(
        insteadOf used: IssuedToken, refusal: AuthError, on keeper: isolated SessionKeeper
    ) async throws(ClientError) -> IssuedToken {
        let answer = await storage.read(on: keeper)
        guard let held = current.held(used.session) else { throw current.signedOutError }
        if held.token.token != used.token { return held.token }
        if case .found(let saved) = answer, let other = saved.currentSession, other.belongs(to: auth),
            other.id == held.session.id || other.isSameAccount(as: held.session), other.accessToken != used.token
        {
            events.send(.adopted)
            current.set(HeldSession(other, isVerified: false, isReceived: false, at: system), on: keeper)
            return IssuedToken(other)
        }
        if let other = await transitions.end(held.session, refusal, on: keeper) { return IssuedToken(other) }
        throw .sessionEnded(refusal)
    }

    private func renewed(
        _ held: HeldSession, on keeper: isolated SessionKeeper
    ) async throws(ClientError) -> IssuedToken {
        let session = try await refreshes.refresh(held.session, on: keeper).get()
        // A sibling process has signed in again with the same account.
        guard session.id == held.session.id || session.isSameAccount(as: held.session) else {
            throw current.signedOutError
        }
        return IssuedToken(session)
    }

    // MARK: Proactive refresh

    private static let pauseAfterFailure: Duration = .seconds(30)

    /// Refreshes a token whose lead has begun, if it is still the one in use.
    func refreshIfDue(_ token: IssuedToken, on keeper: isolated SessionKeeper) async {
        // Nothing is sent while the session is locked; unlocking it runs what is due.
        guard let now = current.held(token.session), now.token.token == token.token, appLock?.mayUse ?? true else {
            return
        }
        if case .failure = await refreshes.refresh(now.session, on: keeper),
            let still = current.held(token.session)
        {
            timer.schedule(still, notBefore: system.uptime() + Self.pauseAfterFailure, on: keeper)
        }
    }

    /// Refreshes the session in use unless its token is fresh.
    func refreshUnlessFresh(on keeper: isolated SessionKeeper) async {
        guard let held = current.held, held.session.refreshToken != nil,
            held.freshness(at: system.uptime(), lead: auth.refreshLead) != .use
        else { return }
        await refreshes.refresh(held.session, on: keeper)
    }
}

extension AuthError {
    /// `true` if a request may succeed with another access token.
    var isAboutAccessToken: Bool {
        switch self {
        case .invalidAccessToken, .sessionRevoked, .accountDisabled: true
        default: false
        }
    }
}
