import Foundation
import OstiaryContracts
import OstiaryCore

/// Keeps the session in use: the one place where it begins, is renewed and ends.
///
/// What is in memory is changed first and at once; the store follows, in the same order. After every wait the memory is
/// looked at again: the session that was waited for may have given way to another.
actor SessionKeeper {
    let auth: RemoteAuth
    let store: any SessionStore
    let surroundings: ClientSurroundings
    let settings: Settings
    /// What stands in front of the session; nil for nothing.
    nonisolated let gate: GateKeeper?
    /// What signs the requests of sessions; nil for none.
    nonisolated let signing: RequestSigning?
    nonisolated let events = Broadcast<ClientEvent>()
    nonisolated let published = PublishedSession()
    /// What goes along with sessions; set before ``begin()``.
    nonisolated let companions = SessionCompanions()

    struct Settings: Sendable {
        /// Whether those who were signed in stay so, beside the one who signs in.
        var keepsSeveralAccounts = false
        /// Whether the server is asked at start who is signed in.
        var verifiesAtStart = true
    }

    let current: CurrentSession
    let pacing: RefreshPacing
    private let timer: RefreshTimer
    let storage: SessionStorage
    let revocations: PendingRevocations
    var flights: [ClientSession.ID: Task<Result<ClientSession, ClientError>, Never>] = [:]
    /// Changes of password that are under way.
    var passwordChanges: [ClientSession.ID: Task<Result<Void, ClientError>, Never>] = [:]
    private var starting: Task<Void, Never>?

    init(
        auth: RemoteAuth, store: any SessionStore, surroundings: ClientSurroundings, gate: GateKeeper? = nil,
        signing: RequestSigning? = nil, settings: Settings = Settings()
    ) {
        self.auth = auth
        self.store = store
        self.surroundings = surroundings
        self.gate = gate
        self.signing = signing
        self.settings = settings
        let pacing = RefreshPacing()
        let timer = RefreshTimer(auth.contract, pacing: pacing, surroundings: surroundings)
        self.pacing = pacing
        self.timer = timer
        let current = CurrentSession(
            published: published, gate: gate, lead: .seconds(auth.contract.client.refreshLeadSeconds), timer: timer)
        let storage = SessionStorage(store: store, surroundings: surroundings, events: events, current: current)
        self.current = current
        self.storage = storage
        revocations = PendingRevocations(auth: auth, storage: storage, surroundings: surroundings, events: events)
    }

    nonisolated var lead: Duration { .seconds(auth.contract.client.refreshLeadSeconds) }
    nonisolated var state: SessionState {
        // A gate that has just closed is told a moment later.
        if case .signedIn = published.state, gate?.mayUse == false { return .locked }
        return published.state
    }
    nonisolated var states: AsyncStream<SessionState> { published.states }
    nonisolated var hasValidToken: Bool { published.hasValidToken(at: surroundings.uptime()) }

    var held: HeldSession? { current.held }

    // MARK: Start

    /// Begins to read the store, without waiting for it.
    nonisolated func begin() {
        Task { await start() }
        guard let openness = gate?.openness else { return }
        Task { [weak self] in
            for await _ in openness { await self?.republish() }
        }
    }

    /// Returns when the store has answered for the first time; it may have answered that it cannot.
    func start() async {
        if starting == nil {
            starting = Task {
                let answer = await read()
                await lookForSession(in: answer)
                if current.isUnknown { waitForStore() }
                // Who has signed in meanwhile has been verified by that.
                if settings.verifiesAtStart, held?.isVerified == false { Task { await verify() } }
                // What an earlier run has left to be told.
                if answer.mayHoldUntoldSignOuts { revocations.beginRevoking(on: self) }
            }
        }
        await starting?.value
    }

    private static let longestStoreWait: Duration = .seconds(30)

    /// Asks the store again and again, less and less often, for as long as somebody has the client.
    private func waitForStore() {
        _ = surroundings.retry(first: .seconds(1), longest: Self.longestStoreWait) { [weak self] in
            await self?.isWaitingForStore() == true
        }
    }

    private func isWaitingForStore() async -> Bool {
        guard current.isUnknown else { return false }
        await lookForSession()
        guard current.isUnknown else {
            if settings.verifiesAtStart, held?.isVerified == false { await verify() }
            revocations.beginRevoking(on: self)
            return false
        }
        return true
    }

    /// Reads the store where the memory has no session.
    ///
    /// - Returns: Why the store did not answer, if it did not.
    @discardableResult
    func lookForSession() async -> StoreProblem? { await lookForSession(in: read()) }

    @discardableResult
    private func lookForSession(in answer: StoredSessions) async -> StoreProblem? {
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
        guard held == nil else { return nil }
        if current.isUnknown {
            await companions.found(saved.sessions)
        } else if saved.currentSession != nil {
            // Whoever it was opened for has gone: a sibling's session is behind the gate.
            gate?.close()
        }
        guard held == nil else { return nil }
        if let session = saved.currentSession, session.belongs(to: auth) {
            hold(HeldSession(session, isVerified: false, at: surroundings))
        } else if current.isUnknown {
            current.clear(.notSignedIn)
        }
        return nil
    }

    // MARK: Store

    func read() async -> StoredSessions { await storage.read(on: self) }
    func change<Outcome: Sendable>(
        late: (@Sendable (SessionKeeper, Outcome) async -> Void)? = nil,
        _ change: @escaping @Sendable (inout SavedSessions) -> Outcome
    ) async -> Result<Outcome, StoreProblem> { await storage.change(late: late, on: self, change) }
    func retryWrite() async -> Bool { await storage.retry(on: self) }
    func retryRevocations() async -> Bool { await revocations.retry(on: self) }
    func revokePending() async { await revocations.revoke(on: self) }
    /// The last pass over the pending revocations.
    var revoking: Task<Bool, Never>? { revocations.lastPass }

    /// Returns when no refresh is under way, no sign-out is being told, and no change is.
    func settle() async {
        // What an earlier run has left to be told is known then.
        await start()
        for change in passwordChanges.values { _ = await change.value }
        for flight in flights.values { _ = await flight.value }
        await revocations.settle(on: self)
        await storage.settle(on: self)
    }

    // MARK: Memory

    func hold(_ held: HeldSession) { current.set(held, on: self) }
    func republish() { current.republish() }
    func forget(_ reason: SignedOutReason) { current.clear(reason) }
    func held(_ id: ClientSession.ID) -> HeldSession? { current.held(id) }
    var signedOutError: ClientError { current.signedOutError }
    var lockedError: ClientError { current.lockedError }

    private static let pauseAfterFailure: Duration = .seconds(30)

    /// Replaces a token whose lead has begun, if it is still the one in use.
    func refreshIfDue(_ token: IssuedToken) async {
        // Behind a closed gate nothing is sent; who opens it finds what is due.
        guard let now = held(token.session), now.token.token == token.token, gate?.mayUse ?? true else { return }
        if case .failure = await refresh(now.session), let still = held(token.session) {
            timer.schedule(still, notBefore: surroundings.uptime() + Self.pauseAfterFailure, on: self)
        }
    }
}

// What it holds is changing while somebody looks, and is for nobody who reads a dump.
extension SessionKeeper: CustomReflectable {
    nonisolated var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}
