import OstiaryCore

/// The lookup in the store when the memory has no session: at start, and when a sibling process may have signed in.
///
/// Owned by one ``SessionKeeper`` and used in its isolation only.
struct SessionLookup {
    private let auth: RemoteAuth
    private let appLock: AppLock?
    private let system: ClientDependencies
    private let observers: SessionLifecycleObservers
    private let current: CurrentSession
    private let storage: SessionStorage

    init(
        auth: RemoteAuth, appLock: AppLock?, system: ClientDependencies, observers: SessionLifecycleObservers,
        current: CurrentSession, storage: SessionStorage
    ) {
        self.auth = auth
        self.appLock = appLock
        self.system = system
        self.observers = observers
        self.current = current
        self.storage = storage
    }

    /// Reads the store, and uses its current session if the memory has none.
    ///
    /// - Returns: The problem if the store could not be read, else `nil`. A changed enrolment is no such problem: it
    ///   signs out.
    @discardableResult
    func lookUp(on keeper: isolated SessionKeeper) async -> StoreProblem? {
        await lookUp(in: storage.read(on: keeper), on: keeper)
    }

    /// Does the same with a result that has just been read from the store.
    @discardableResult
    func lookUp(in answer: StoredSessions, on keeper: isolated SessionKeeper) async -> StoreProblem? {
        let saved: SavedSessions
        switch answer {
        case .found(let found): saved = found
        case .absent: saved = .none
        // Permanently unreadable, so there is nothing to wait for.
        case .unavailable(.enrolmentChanged):
            if current.isUnknown { current.clear(.notRecognised(.enrolmentChanged)) }
            return nil
        case .unavailable(let problem): return problem
        }
        guard current.held == nil else { return nil }
        if current.isUnknown {
            await observers.found(saved.sessions)
        } else if saved.currentSession != nil {
            // The session that was unlocked has ended; a sibling process's session starts locked.
            appLock?.close()
        }
        guard current.held == nil else { return nil }
        if let session = saved.currentSession, session.belongs(to: auth) {
            current.set(HeldSession(session, isVerified: false, isReceived: false, at: system), on: keeper)
        } else if current.isUnknown {
            current.clear(.notSignedIn)
        }
        return nil
    }

    /// Returns every session of this server that is stored on this device.
    func saved(on keeper: isolated SessionKeeper) async throws(ClientError) -> [ClientSession] {
        switch await storage.read(on: keeper) {
        case .found(let saved): return saved.sessions.filter { $0.belongs(to: auth) }
        case .absent: return []
        case .unavailable(let problem): throw .store(problem)
        }
    }
}
