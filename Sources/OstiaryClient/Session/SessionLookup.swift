import OstiaryCore

/// The look at the store where the memory has no session: at start, and where a sibling process may have signed in.
///
/// Belongs to one ``SessionKeeper`` and is used in its isolation only.
struct SessionLookup {
    private let auth: RemoteAuth
    private let gate: GateKeeper?
    private let surroundings: ClientSurroundings
    private let observers: SessionLifecycleObservers
    private let current: CurrentSession
    private let storage: SessionStorage

    init(
        auth: RemoteAuth, gate: GateKeeper?, surroundings: ClientSurroundings, observers: SessionLifecycleObservers,
        current: CurrentSession, storage: SessionStorage
    ) {
        self.auth = auth
        self.gate = gate
        self.surroundings = surroundings
        self.observers = observers
        self.current = current
        self.storage = storage
    }

    /// Reads the store, and uses its current session where the memory has none.
    ///
    /// - Returns: The problem if the store did not answer; else nil.
    @discardableResult
    func look(on keeper: isolated SessionKeeper) async -> StoreProblem? {
        await look(in: storage.read(on: keeper), on: keeper)
    }

    /// The same, with an answer that the store has given just now.
    @discardableResult
    func look(in answer: StoredSessions, on keeper: isolated SessionKeeper) async -> StoreProblem? {
        let saved: SavedSessions
        switch answer {
        case .found(let found): saved = found
        case .absent: saved = .none
        // Lost for good: there is nothing to wait for.
        case .unavailable(.enrolmentChanged):
            if current.isUnknown { current.clear(.notRecognised(.enrolmentChanged)) }
            return nil
        case .unavailable(let problem): return problem
        }
        guard current.held == nil else { return nil }
        if current.isUnknown {
            await observers.found(saved.sessions)
        } else if saved.currentSession != nil {
            // Whoever it was opened for has gone: a sibling's session is behind the gate.
            gate?.close()
        }
        guard current.held == nil else { return nil }
        if let session = saved.currentSession, session.belongs(to: auth) {
            current.set(HeldSession(session, isVerified: false, at: surroundings), on: keeper)
        } else if current.isUnknown {
            current.clear(.notSignedIn)
        }
        return nil
    }

    /// Every session of this server that is kept on this device.
    func saved(on keeper: isolated SessionKeeper) async throws(ClientError) -> [ClientSession] {
        switch await storage.read(on: keeper) {
        case .found(let saved): return saved.sessions.filter { $0.belongs(to: auth) }
        case .absent: return []
        case .unavailable(let problem): throw .store(problem)
        }
    }
}
