import OstiaryContracts
import OstiaryCore

/// The source of the key that signs a session's requests: a sibling process or the server.
///
/// Owned by one ``SessionKeeper`` and used in its isolation only.
struct SigningKeyProvider {
    private let auth: RemoteAuth
    private let system: ClientDependencies
    private let current: CurrentSession
    private let storage: SessionStorage
    private let tasks: TokenTasks
    private let transitions: SessionTransitions
    private let refreshes: RefreshCoordinator

    init(
        auth: RemoteAuth, system: ClientDependencies, current: CurrentSession, storage: SessionStorage,
        tasks: TokenTasks, transitions: SessionTransitions, refreshes: RefreshCoordinator
    ) {
        self.auth = auth
        self.system = system
        self.current = current
        self.storage = storage
        self.tasks = tasks
        self.transitions = transitions
        self.refreshes = refreshes
    }

    /// Returns the key of a session: the one a sibling process has stored, else the one that the server issues.
    ///
    /// A server issues a key once for the access token, and again only for the refresh token. So the key is stored with
    /// the session, and requested with both tokens.
    ///
    /// - Throws: ``ClientError/unsupported(_:)`` if the server supports no signatures; nothing is sent unsigned
    ///   instead. ``ClientError/sessionEnded(_:)`` if the key is lost and only a new sign-in brings another.
    func key(
        for token: IssuedToken, otherThan stale: RequestSigningKey?, on keeper: isolated SessionKeeper
    ) async throws(ClientError) -> RequestSigningKey {
        if let key = await storedKey(of: token.session, on: keeper), key != stale { return key }
        do {
            return try await issueKey(for: token, on: keeper)
        } catch .refused(.signingKeyAlreadyIssued) {
            // A sibling process may have requested a key at the same time.
            if let key = await storedKey(of: token.session, on: keeper), key != stale { return key }
        }
        guard let held = current.held(token.session) else { throw current.signedOutError }
        guard held.session.refreshToken != nil else {
            return try await endUnsigned(held.session, stale, on: keeper)
        }
        // A refresh would wait for the password change that waits for this key: a deadlock.
        guard tasks.passwordChange(of: token.session) == nil else { throw .refused(.signingKeyAlreadyIssued) }
        // A sibling process may have refreshed, and this process's refresh token may be superseded.
        let renewed = try await refreshes.refresh(held.session, on: keeper).get()
        return try await issueKey(for: IssuedToken(renewed), on: keeper)
    }

    private func storedKey(
        of id: ClientSession.ID, on keeper: isolated SessionKeeper
    ) async -> RequestSigningKey? {
        guard case .found(let saved) = await storage.read(on: keeper) else { return nil }
        return saved[id]?.signingKey
    }

    private func issueKey(
        for token: IssuedToken, on keeper: isolated SessionKeeper
    ) async throws(ClientError) -> RequestSigningKey {
        var refreshToken = current.held(token.session)?.session.refreshToken
        if refreshToken == nil, case .found(let saved) = await storage.read(on: keeper) {
            refreshToken = saved[token.session]?.refreshToken
        }
        do {
            return try await auth.perform(
                IssueSigningKey(accessToken: token.token, refreshToken: refreshToken), proof: token.proof, at: system)
        } catch {
            throw error == .refused(.notFound) ? .unsupported(.issueSigningKey) : error
        }
    }

    /// Ends a session whose key is lost: without a refresh token, nothing proves that this client owns the session.
    private func endUnsigned(
        _ session: ClientSession, _ stale: RequestSigningKey?, on keeper: isolated SessionKeeper
    ) async throws(ClientError) -> RequestSigningKey {
        // A key existed, so the refusal has another reason than its loss.
        if stale != nil { throw .refused(.signingKeyAlreadyIssued) }
        if let key = await transitions.end(session, .signingKeyAlreadyIssued, on: keeper)?.signingKey { return key }
        throw .sessionEnded(.signingKeyAlreadyIssued)
    }
}
