import OstiaryContracts
import OstiaryCore

/// The key that signs a session's requests, from a sibling process or from the server.
///
/// Belongs to one ``SessionKeeper`` and is used in its isolation only.
struct SigningKeyProvider {
    private let auth: RemoteAuth
    private let surroundings: ClientSurroundings
    private let current: CurrentSession
    private let storage: SessionStorage
    private let tasks: TokenTasks
    private let transitions: SessionTransitions
    private let refreshes: RefreshCoordinator

    init(
        auth: RemoteAuth, surroundings: ClientSurroundings, current: CurrentSession, storage: SessionStorage,
        tasks: TokenTasks, transitions: SessionTransitions, refreshes: RefreshCoordinator
    ) {
        self.auth = auth
        self.surroundings = surroundings
        self.current = current
        self.storage = storage
        self.tasks = tasks
        self.transitions = transitions
        self.refreshes = refreshes
    }

    /// The key of a session: a sibling process's, else the one that the server issues.
    ///
    /// A server issues it once for the access token, and again only for the refresh token, so that the key is kept with the
    /// session and asked for with both.
    ///
    /// - Throws: ``ClientError/unsupported(_:)`` from a server that signs nothing: nothing is sent unsigned instead.
    ///   ``ClientError/sessionEnded(_:)`` where the key is lost for good and only a new sign-in brings another.
    func key(
        for token: IssuedToken, otherThan stale: RequestSigningKey?, on keeper: isolated SessionKeeper
    ) async throws(ClientError) -> RequestSigningKey {
        if let key = await storedKey(of: token.session, on: keeper), key != stale { return key }
        do {
            return try await issueKey(for: token, on: keeper)
        } catch .refused(.signingKeyAlreadyIssued) {
            // A sibling process may have asked at the same time.
            if let key = await storedKey(of: token.session, on: keeper), key != stale { return key }
        }
        guard let held = current.held(token.session) else { throw current.signedOutError }
        guard held.session.refreshToken != nil else {
            return try await endUnsigned(held.session, stale, on: keeper)
        }
        // A refresh would wait for the change of password that waits for this.
        guard tasks.passwordChange(of: token.session) == nil else { throw .refused(.signingKeyAlreadyIssued) }
        // A sibling process may have refreshed: this one's refresh token is not the current one then.
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
                IssueSigningKey(accessToken: token.token, refreshToken: refreshToken), at: surroundings)
        } catch {
            throw error == .refused(.notFound) ? .unsupported(.issueSigningKey) : error
        }
    }

    /// The key is lost, and without a refresh token nothing shows that this client is the session's: it has to begin anew.
    private func endUnsigned(
        _ session: ClientSession, _ stale: RequestSigningKey?, on keeper: isolated SessionKeeper
    ) async throws(ClientError) -> RequestSigningKey {
        // A key was there, and another reason for the refusal than its loss.
        if stale != nil { throw .refused(.signingKeyAlreadyIssued) }
        if let key = await transitions.end(session, .signingKeyAlreadyIssued, on: keeper)?.signingKey { return key }
        throw .sessionEnded(.signingKeyAlreadyIssued)
    }
}
