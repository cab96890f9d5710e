import OstiaryContracts
import OstiaryCore

/// The owner of the session in use: the only place where it begins, is renewed and ends.
///
/// It provides the isolation of its parts and their only entry points. Memory is changed first and synchronously; the
/// store follows in the same order. After every suspension the memory is checked again, as another session may have
/// replaced the one that was awaited.
actor SessionKeeper {
    /// The lock of the session; `nil` for none.
    nonisolated let appLock: AppLock?
    let store: any SessionStore
    nonisolated let events = Broadcast<ClientEvent>()

    private nonisolated let auth: RemoteAuth
    private nonisolated let system: ClientDependencies
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
        auth: RemoteAuth, store: any SessionStore, system: ClientDependencies, appLock: AppLock? = nil,
        signing: SigningState? = nil, settings: Settings = Settings()
    ) {
        self.auth = auth
        self.store = store
        self.system = system
        self.appLock = appLock
        signingState = signing
        self.settings = settings
        let pacing = RefreshPacing()
        let tasks = TokenTasks()
        let timer = RefreshTimer(auth.contract, pacing: pacing, system: system)
        let current = CurrentSession(published: published, appLock: appLock, lead: auth.refreshLead, timer: timer)
        let storage = SessionStorage(store: store, system: system, events: events, current: current)
        let revocations = PendingRevocations(
            auth: auth, storage: storage, system: system, events: events)
        let transitions = SessionTransitions(
            auth: auth, appLock: appLock, system: system, events: events, observers: observers,
            keepsSeveralAccounts: settings.keepsSeveralAccounts, current: current, storage: storage,
            revocations: revocations, tasks: tasks, pacing: pacing, signing: signing)
        let refreshes = RefreshCoordinator(
            auth: auth, store: store, system: system, events: events, current: current, storage: storage,
            tasks: tasks, pacing: pacing, transitions: transitions)
        let lookup = SessionLookup(
            auth: auth, appLock: appLock, system: system, observers: observers, current: current,
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
            auth: auth, appLock: appLock, system: system, events: events, current: current, storage: storage,
            tasks: tasks, pacing: pacing, timer: timer, lookup: lookup, transitions: transitions, refreshes: refreshes)
        details = SessionDetails(current: current, storage: storage)
        passwords = PasswordChanger(
            store: store, system: system, current: current, storage: storage, tasks: tasks,
            transitions: transitions, refreshes: refreshes)
        signingKeys = SigningKeyProvider(
            auth: auth, system: system, current: current, storage: storage, tasks: tasks,
            transitions: transitions, refreshes: refreshes)
    }

    // MARK: State

    nonisolated var state: SessionState {
        // Locking is published with a delay.
        let state = published.state
        if case .signedIn = state, appLock?.mayUse == false { return .locked }
        return state
    }
    nonisolated var states: AsyncStream<SessionState> { published.states }
    nonisolated var hasValidToken: Bool { published.hasValidToken(at: system.uptime()) }

    var held: HeldSession? { current.held }
    /// The last pass over the pending revocations.
    var revoking: Task<Bool, Never>? { revocations.lastPass }
    private var lockedError: ClientError { current.lockedError }

    /// Registers an observer of every session that is found or removed; registered before ``begin()``, it misses none.
    nonisolated func observe(_ observer: any SessionLifecycleObserver) { observers.add(observer) }

    // MARK: Start

    /// Starts to read the store, without waiting for the result.
    nonisolated func begin() {
        Task { await start() }
        guard let openness = appLock?.openness else { return }
        Task { [weak self] in
            for await _ in openness { await self?.republish() }
        }
    }

    private func republish() { current.republish() }

    /// Returns when the first read of the store has completed, successfully or not.
    func start() async {
        if starting == nil {
            starting = Task {
                let answer = await storage.read(on: self)
                await lookup.lookUp(in: answer, on: self)
                if current.isUnknown { waitForStore() }
                // A sign-in in the meantime has already verified its session.
                if settings.verifiesAtStart, held?.isVerified == false { Task { await verify() } }
                // The revocations that an earlier run left pending.
                if answer.mayHoldPendingRevocations { revocations.beginRevoking(on: self) }
            }
        }
        await starting?.value
    }

    private static let longestStoreWait: Duration = .seconds(30)

    /// Retries reading the store with exponential backoff, for as long as the client exists.
    private func waitForStore() {
        _ = system.retry(first: .seconds(1), longest: Self.longestStoreWait) { [weak self] in
            await self?.isWaitingForStore() == true
        }
    }

    private func isWaitingForStore() async -> Bool {
        guard current.isUnknown else { return false }
        await lookup.lookUp(on: self)
        guard current.isUnknown else {
            if settings.verifiesAtStart, held?.isVerified == false { await verify() }
            revocations.beginRevoking(on: self)
            return false
        }
        return true
    }

    /// Runs all overdue work at once, after a time in the background or without a network.
    func resume() async {
        await start()
        pacing.reset()
        if held == nil { await lookup.lookUp(on: self) }
        if storage.hasPendingChanges { await storage.flush(on: self) }
        guard appLock?.mayUse ?? true else { return }
        await tokens.refreshUnlessFresh(on: self)
        if let held, !held.isVerified { await verify() }
        await revocations.revoke(on: self)
    }

    /// Returns when no refresh, no revocation and no change of the store is in progress.
    func settle() async {
        // After this, the revocations that an earlier run left pending are known.
        await start()
        await tasks.settle(on: self)
        await revocations.settle(on: self)
        await storage.settle(on: self)
    }

    // MARK: Sessions

    /// Begins the session of a person who has just signed in.
    ///
    /// - Parameter label: The identifier they signed in with; used if the server did not return one.
    @discardableResult
    func beginSession(_ signedIn: SignedIn, label: String) async -> SessionSnapshot {
        let session = await transitions.begin(signedIn, label: label, on: self)
        if let deviceToken = signedIn.deviceToken { await keep(deviceToken: deviceToken) }
        if signedIn.user == nil { Task { await verify() } }
        return session
    }

    /// Returns every session that is stored on this device for this server.
    ///
    /// - Throws: ``ClientError/store(_:)`` if the store cannot be read.
    func savedSessions() async throws(ClientError) -> [SessionSnapshot] {
        try await lookup.saved(on: self).map(SessionSnapshot.init)
    }

    /// Makes another account that is signed in on this device the current one.
    ///
    /// - Throws: ``ClientError/notSignedIn`` if the session is not stored; ``ClientError/store(_:)`` if the store
    ///   cannot be read.
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

    /// Signs out locally at once, and then revokes the session on the server within a short time limit.
    ///
    /// - Returns: ``SignOutResult/revoked`` if the server has revoked the session; ``SignOutResult/revocationPending``
    ///   if the revocation is stored to be retried; ``SignOutResult/wasSignedOut`` if there was no session.
    func signOut() async throws(ClientError) -> SignOutResult {
        await start()
        if held == nil, let problem = await lookup.lookUp(on: self) { throw .store(problem) }
        guard let session = held?.session else { return .wasSignedOut }
        return try await transitions.signOut(session, because: .signedOut, on: self)
    }

    /// Ends a session that needs no revocation on the server.
    func end(_ id: ClientSession.ID, as reason: SignedOutReason) async {
        await transitions.end(id, as: reason, on: self)
    }

    /// Prompts the person to prove their presence, if the session is locked.
    ///
    /// - Throws: ``ClientError/cancelledByUser`` or ``ClientError/locked`` if the session stays locked;
    ///   ``ClientError/notSignedIn`` if there is none, or it can never be unlocked again and has ended;
    ///   ``ClientError/sessionEnded(_:)`` if the server has ended it; ``ClientError/store(_:)`` if neither the store nor
    ///   the server has recorded its end.
    func unlock(_ reason: String) async throws(ClientError) {
        if current.isUnknown, let asking = store as? any InteractiveSessionStore {
            asking.retry()
            await resume()
            if current.isUnknown { throw .locked }
        }
        guard let appLock else { return }
        await start()
        guard let session = held?.session else { throw current.signedOutError }
        switch await appLock.unlock(reason, knowing: session.enrolment) {
        case .open(let enrolment):
            current.republish()
            await details.keep(enrolment, of: session.id, on: self)
            // Runs what became due while the session was locked.
            Task { await resume() }
        case .closed(let problem): throw problem.error
        case .signInNeeded(let end):
            guard let session = current.held(session.id)?.session else { throw current.signedOutError }
            _ = try await transitions.signOut(session, because: .notRecognised(end), on: self)
            throw .notSignedIn
        }
    }

    // MARK: Tokens

    /// Returns a token that is valid for a request, refreshed first if necessary.
    ///
    /// A fresh token is returned without suspension and without access to the store.
    nonisolated func token() async throws(ClientError) -> IssuedToken {
        if appLock?.mayUse ?? true {
            if let token = published.freshToken(at: system.uptime()) { return token }
            let token = try await dueToken()
            // The session may have been locked in the meantime.
            if appLock?.mayUse ?? true { return token }
        }
        await start()
        throw await lockedError
    }

    private func dueToken() async throws(ClientError) -> IssuedToken {
        await start()
        return try await tokens.token(on: self)
    }

    /// Returns a replacement for a token that received a 401: the current token if it is another, else a fresh one.
    ///
    /// - Parameter refusal: The server's reason for the 401, with which the session ends if it ends.
    func replacement(for used: IssuedToken, refusal: AuthError) async throws(ClientError) -> IssuedToken {
        try await tokens.replacement(for: used, refusal: refusal, on: self)
    }

    /// Records that the server has accepted a token, which verifies its session.
    nonisolated func accepted(_ token: IssuedToken) {
        guard case .signedIn(let session, verified: false) = state, session.id == token.session else { return }
        Task { await noteAcceptance(of: token.session) }
    }

    private func noteAcceptance(of id: ClientSession.ID) { details.noteAcceptance(of: id, on: self) }

    // MARK: Signing

    /// The signer of the session's requests, with this keeper as the source of keys; `nil` if requests are not signed.
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

    // MARK: Operations with an access token

    /// Changes the password, and continues with the tokens of the response.
    ///
    /// - Parameter owner: A token of the user whose password is changed.
    /// - Throws: ``ClientError/notSignedIn`` if another user has signed in in the meantime.
    func changePassword(
        from current: Secret<String>?, to new: Secret<String>, as owner: IssuedToken
    ) async throws(ClientError) {
        let token = try await token()
        guard token.isOfSamePerson(as: owner) else { throw .notSignedIn }
        // Fetching the key may need a refresh, which waits while the password is being changed.
        try await signing?.prepare(for: token)
        do {
            try await passwords.change(in: token.session, from: current, to: new, on: self)
        } catch .refused(let refusal) where refusal.isAboutAccessToken {
            let next = try await replacement(for: token, refusal: refusal)
            try await passwords.change(in: next.session, from: current, to: new, on: self)
        }
    }

    /// Performs an operation that presents an access token, signed where requests are signed.
    nonisolated func perform<Operation: AuthOperation>(
        _ operation: Operation, as token: IssuedToken
    ) async throws(ClientError) -> Operation.Answer {
        let deviceToken = Operation.description.presentsDevice ? await deviceToken() : nil
        guard let signing else {
            return try await auth.perform(operation, deviceToken: deviceToken, proof: token.proof, at: system)
        }
        var request: WireRequest
        do { request = try auth.codec.write(operation) } catch { throw .unsupported(Operation.kind) }
        if let deviceToken { request.headers[DeviceTokenHeader.name] = deviceToken.reveal() }
        let answer = try await auth.proving(request, of: token) { [auth] request throws(ClientError) in
            // Signed anew for each proof: the server accepts a signature once.
            try await signing.send(request, as: token) { [auth] request throws(ClientError) in
                do throws(TransportError) { return try await auth.send(request) } catch { throw ClientError(error) }
            }
        }
        do throws(AuthError) { return try auth.codec.read(answer, to: Operation.self) } catch {
            throw ClientError(error, at: system)
        }
    }

    // MARK: Details

    /// Returns the random identifier of this device. `nil` if it cannot be stored.
    func deviceID() async -> String? { await details.deviceID(on: self) }

    /// Returns the secret by which an account recognizes this device; `nil` if none does.
    func deviceToken() async -> Secret<String>? { await details.deviceToken(on: self) }
    func appAttestKey() async -> [UInt8]? { await details.appAttestKey(on: self) }
    func keep(appAttestKey: [UInt8]?) async { await details.keep(appAttestKey: appAttestKey, on: self) }

    /// Stores the secret by which an account recognizes this device from now on.
    func keep(deviceToken: Secret<String>) async { await details.keep(deviceToken: deviceToken, on: self) }

    func keep(_ key: RequestSigningKey, of id: ClientSession.ID) async { await details.keep(key, of: id, on: self) }
    func keep(_ user: User, of id: ClientSession.ID) async { await details.keep(user, of: id, on: self) }
    func keep(_ tokens: Tokens, insteadOf used: IssuedToken) async {
        await details.keep(tokens, insteadOf: used, at: system, on: self)
    }

    // MARK: Entry points of timers and late changes

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
