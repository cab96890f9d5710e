import OstiaryContracts
import OstiaryCore

/// Keeps the session in use: the one place where it begins, is renewed and ends.
///
/// It is the isolation of its parts and their only entry. What is in memory is changed first and at once; the store follows, in
/// the same order. After every wait the memory is looked at again: the session that was waited for may have given way to
/// another.
actor SessionKeeper {
    struct Settings: Sendable {
        /// True to keep other accounts signed in when a person signs in.
        var keepsSeveralAccounts = false
        /// True to verify the session with the server at start.
        var verifiesAtStart = true
    }

    /// The gate in front of the session; nil for none.
    nonisolated let gate: GateKeeper?
    let store: any SessionStore
    nonisolated let events = Broadcast<ClientEvent>()

    private nonisolated let auth: RemoteAuth
    private nonisolated let surroundings: ClientSurroundings
    private nonisolated let settings: Settings
    private nonisolated let signingState: SigningState?
    private nonisolated let published = PublishedSession()
    private nonisolated let observers = SessionLifecycleObservers()

    private let current: CurrentSession
    private let storage: SessionStorage
    private let revocations: PendingRevocations
    private let tasks: TokenTasks
    private let pacing: RefreshPacing
    private let transitions: SessionTransitions
    private let refreshes: RefreshCoordinator
    private let lookup: SessionLookup
    private let tokens: TokenProvider
    private let details: SessionDetails
    private let passwords: PasswordChanger
    private let signingKeys: SigningKeyProvider
    private var starting: Task<Void, Never>?

    init(
        auth: RemoteAuth, store: any SessionStore, surroundings: ClientSurroundings, gate: GateKeeper? = nil,
        signing: SigningState? = nil, settings: Settings = Settings()
    ) {
        self.auth = auth
        self.store = store
        self.surroundings = surroundings
        self.gate = gate
        signingState = signing
        self.settings = settings
        let pacing = RefreshPacing()
        let tasks = TokenTasks()
        let timer = RefreshTimer(auth.contract, pacing: pacing, surroundings: surroundings)
        let current = CurrentSession(published: published, gate: gate, lead: auth.refreshLead, timer: timer)
        let storage = SessionStorage(store: store, surroundings: surroundings, events: events, current: current)
        let revocations = PendingRevocations(
            auth: auth, storage: storage, surroundings: surroundings, events: events)
        let transitions = SessionTransitions(
            auth: auth, gate: gate, surroundings: surroundings, events: events, observers: observers,
            keepsSeveralAccounts: settings.keepsSeveralAccounts, current: current, storage: storage,
            revocations: revocations, tasks: tasks, pacing: pacing)
        let refreshes = RefreshCoordinator(
            auth: auth, store: store, surroundings: surroundings, events: events, current: current, storage: storage,
            tasks: tasks, pacing: pacing, transitions: transitions)
        let lookup = SessionLookup(
            auth: auth, gate: gate, surroundings: surroundings, observers: observers, current: current,
            storage: storage)
        self.pacing = pacing
        self.tasks = tasks
        self.current = current
        self.storage = storage
        self.revocations = revocations
        self.transitions = transitions
        self.refreshes = refreshes
        self.lookup = lookup
        tokens = TokenProvider(
            auth: auth, gate: gate, surroundings: surroundings, events: events, current: current, storage: storage,
            tasks: tasks, pacing: pacing, timer: timer, lookup: lookup, transitions: transitions, refreshes: refreshes)
        details = SessionDetails(current: current, storage: storage)
        passwords = PasswordChanger(
            store: store, surroundings: surroundings, current: current, storage: storage, tasks: tasks,
            transitions: transitions, refreshes: refreshes)
        signingKeys = SigningKeyProvider(
            auth: auth, surroundings: surroundings, current: current, storage: storage, tasks: tasks,
            transitions: transitions, refreshes: refreshes)
    }

    // MARK: State

    nonisolated var state: SessionState {
        // A gate that has just closed is told a moment later.
        if case .signedIn = published.state, gate?.mayUse == false { return .locked }
        return published.state
    }
    nonisolated var states: AsyncStream<SessionState> { published.states }
    nonisolated var hasValidToken: Bool { published.hasValidToken(at: surroundings.uptime()) }

    var held: HeldSession? { current.held }
    /// The last pass over the pending revocations.
    var revoking: Task<Bool, Never>? { revocations.lastPass }
    private var lockedError: ClientError { current.lockedError }

    /// Tells an observer of every session that is found or removed; called before ``begin()``, it misses none.
    nonisolated func observe(_ observer: any SessionLifecycleObserver) { observers.add(observer) }

    // MARK: Start

    /// Begins to read the store, without waiting for it.
    nonisolated func begin() {
        Task { await start() }
        guard let openness = gate?.openness else { return }
        Task { [weak self] in
            for await _ in openness { await self?.republish() }
        }
    }

    private func republish() { current.republish() }

    /// Returns when the store has answered for the first time; it may have answered that it cannot.
    func start() async {
        if starting == nil {
            starting = Task {
                let answer = await storage.read(on: self)
                await lookup.look(in: answer, on: self)
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

    /// Asks the store again and again, less and less often, for as long as the client exists.
    private func waitForStore() {
        _ = surroundings.retry(first: .seconds(1), longest: Self.longestStoreWait) { [weak self] in
            await self?.isWaitingForStore() == true
        }
    }

    private func isWaitingForStore() async -> Bool {
        guard current.isUnknown else { return false }
        await lookup.look(on: self)
        guard current.isUnknown else {
            if settings.verifiesAtStart, held?.isVerified == false { await verify() }
            revocations.beginRevoking(on: self)
            return false
        }
        return true
    }

    /// Does at once what is overdue: after a time in the background, or without a network.
    func resume() async {
        await start()
        pacing.reset()
        if held == nil { await lookup.look(on: self) }
        if storage.hasPendingChanges { await storage.flush(on: self) }
        guard gate?.mayUse ?? true else { return }
        await tokens.refreshUnlessFresh(on: self)
        if let held, !held.isVerified { await verify() }
        await revocations.revoke(on: self)
    }

    /// Returns when no refresh is under way, no revocation, and no change of the store.
    func settle() async {
        // What an earlier run has left to be told is known then.
        await start()
        await tasks.settle(on: self)
        await revocations.settle(on: self)
        await storage.settle(on: self)
    }

    // MARK: Sessions

    /// Begins the session of a person who has just signed in.
    ///
    /// - Parameter label: What they signed in as; used where the server did not tell.
    @discardableResult
    func beginSession(_ signedIn: SignedIn, label: String) async -> SessionSnapshot {
        let session = await transitions.begin(signedIn, label: label, on: self)
        if signedIn.user == nil { Task { await verify() } }
        return session
    }

    /// Every session that is kept on this device.
    func savedSessions() async throws(ClientError) -> [SessionSnapshot] {
        try await lookup.saved(on: self).map(SessionSnapshot.init)
    }

    /// Uses another of the accounts that are signed in on this device.
    func switchSession(to id: ClientSession.ID) async throws(ClientError) {
        guard let session = try await lookup.saved(on: self).first(where: { $0.id == id }) else {
            throw .notSignedIn
        }
        guard held?.session.id != id else { return }
        pacing.reset()
        transitions.switchCurrent(to: session, on: self)
        _ = await storage.change(on: self) { saved in if saved[id] != nil { saved.current = id } }
        Task { await verify() }
    }

    /// Signs out here, at once, and then tells the server, briefly.
    ///
    /// - Returns: ``SignOutResult/told`` if the server has been told; else it will be.
    func signOut() async throws(ClientError) -> SignOutResult {
        await start()
        if held == nil, let problem = await lookup.look(on: self) { throw .store(problem) }
        guard let session = held?.session else { return .wasSignedOut }
        return try await transitions.signOut(session, because: .signedOut, on: self)
    }

    /// Ends a session of which the server need not be told.
    func end(_ id: ClientSession.ID, as reason: SignedOutReason) async {
        await transitions.end(id, as: reason, on: self)
    }

    /// Has the person show themselves, where a gate wants that.
    ///
    /// - Throws: ``ClientError/cancelledByUser`` or ``ClientError/locked`` where it stays closed;
    ///   ``ClientError/notSignedIn`` where it never opens again for this session, which has ended.
    func unlock(_ reason: String) async throws(ClientError) {
        if current.isUnknown, let asking = store as? any AskingStore {
            asking.askAgain()
            await resume()
            if current.isUnknown { throw .locked }
        }
        guard let gate else { return }
        await start()
        guard let session = held?.session else { throw current.signedOutError }
        switch await gate.unlock(reason, knowing: session.enrolment) {
        case .open(let enrolment):
            current.republish()
            await details.keep(enrolment, of: session.id, on: self)
            // What was due waited for this.
            Task { await resume() }
        case .closed(let problem): throw problem.error
        case .signInNeeded(let end):
            guard let session = current.held(session.id)?.session else { throw current.signedOutError }
            _ = try await transitions.signOut(session, because: .notRecognised(end), on: self)
            throw .notSignedIn
        }
    }

    // MARK: Tokens

    /// A token that is good for a request, refreshed first where it must be.
    ///
    /// A fresh one costs no wait, and never a look at the store.
    nonisolated func token() async throws(ClientError) -> IssuedToken {
        if gate?.mayUse ?? true {
            if let token = published.freshToken(at: surroundings.uptime()) { return token }
            let token = try await dueToken()
            // It may have been closed meanwhile.
            if gate?.mayUse ?? true { return token }
        }
        await start()
        throw await lockedError
    }

    private func dueToken() async throws(ClientError) -> IssuedToken {
        await start()
        return try await tokens.token(on: self)
    }

    /// A token other than one that earned a 401: the current one if it is another, else a fresh one.
    ///
    /// - Parameter refusal: Why the server did not accept it, if the session ends over it.
    func replacement(for used: IssuedToken, refusal: AuthError) async throws(ClientError) -> IssuedToken {
        try await tokens.replacement(for: used, refusal: refusal, on: self)
    }

    /// The server has accepted a token: from then on its session is verified.
    nonisolated func accepted(_ token: IssuedToken) {
        guard case .signedIn(let session, verified: false) = state, session.id == token.session else { return }
        Task { await noteAcceptance(of: token.session) }
    }

    private func noteAcceptance(of id: ClientSession.ID) { details.noteAcceptance(of: id, on: self) }

    // MARK: Signing

    /// Signs the requests of sessions, with this keeper as the source of keys; nil where requests are not signed.
    nonisolated var signing: RequestSigning? {
        signingState.map { state in
            RequestSigning(
                state,
                fetch: { [weak self] token, stale throws(ClientError) in
                    guard let self else { throw .notSignedIn }
                    return try await signingKey(for: token, otherThan: stale)
                }, keep: { [weak self] key, session in await self?.keep(key, of: session) })
        }
    }

    private func signingKey(
        for token: IssuedToken, otherThan stale: RequestSigningKey?
    ) async throws(ClientError) -> RequestSigningKey {
        try await signingKeys.key(for: token, otherThan: stale, on: self)
    }

    // MARK: The server's view

    /// Asks the server who is signed in, and keeps what it says. Nothing but a definite refusal ends the session.
    func verify() async {
        guard let held, let token = try? await token(), token.session == held.session.id else { return }
        _ = try? await refreshUser(token)
    }

    func refreshUser() async throws(ClientError) -> User { try await refreshUser(token()) }

    @discardableResult
    private func refreshUser(_ token: IssuedToken) async throws(ClientError) -> User {
        let user: User
        do {
            user = try await currentUser(token)
        } catch .refused(let refusal) where refusal.isAboutAccessToken {
            user = try await currentUser(replacement(for: token, refusal: refusal))
        }
        await keep(user, of: token.session)
        return user
    }

    private func currentUser(_ token: IssuedToken) async throws(ClientError) -> User {
        try await perform(CurrentUser(accessToken: token.token), as: token)
    }

    /// Changes the password, and goes on with the tokens of the answer.
    func changePassword(from current: Secret<String>, to new: Secret<String>) async throws(ClientError) {
        let token = try await token()
        // Getting the key may take a refresh, which waits while the password is being changed.
        try await signing?.prepare(for: token)
        do {
            try await passwords.change(in: token.session, from: current, to: new, on: self)
        } catch .refused(let refusal) where refusal.isAboutAccessToken {
            let next = try await replacement(for: token, refusal: refusal)
            try await passwords.change(in: next.session, from: current, to: new, on: self)
        }
    }

    /// Does an operation that shows a token, signed where requests are.
    nonisolated func perform<Operation: WireOperation>(
        _ operation: Operation, as token: IssuedToken
    ) async throws(ClientError) -> Operation.Answer {
        guard let signing else { return try await auth.perform(operation, at: surroundings) }
        let request: WireRequest
        do { request = try auth.codec.write(operation) } catch { throw .unsupported(Operation.kind) }
        let answer = try await signing.send(request, as: token) { [auth] request throws(ClientError) in
            do throws(TransportError) { return try await auth.send(request) } catch { throw ClientError(error) }
        }
        do throws(AuthError) { return try auth.codec.read(answer, to: Operation.self) } catch {
            throw ClientError(error, at: surroundings)
        }
    }

    // MARK: Details

    /// The name of this device. Nil where it cannot be kept.
    func deviceID() async -> String? { await details.deviceID(on: self) }

    func keep(_ key: RequestSigningKey, of id: ClientSession.ID) async { await details.keep(key, of: id, on: self) }
    func keep(_ user: User, of id: ClientSession.ID) async { await details.keep(user, of: id, on: self) }

    // MARK: Entries of timers and late changes

    func refreshIfDue(_ token: IssuedToken) async { await tokens.refreshIfDue(token, on: self) }
    func retryWrite() async -> Bool { await storage.retry(on: self) }
    func retryRevocations() async -> Bool { await revocations.retry(on: self) }
    func revokePending() async { await revocations.revoke(on: self) }
    func notifyRemoved(_ ended: [ClientSession], for session: ClientSession) async {
        await transitions.notifyRemoved(ended, for: session, on: self)
    }
    func follow(_ commit: RefreshCoordinator.Commit, _ renewed: ClientSession) async {
        await refreshes.follow(commit, renewed, on: self)
    }
}

// Its state changes while a mirror reads it, and is in no dump.
extension SessionKeeper: CustomReflectable {
    nonisolated var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}
