import OstiaryContracts
import OstiaryCore

/// The change of a password, in which the server revokes the session's refresh token and issues another.
///
/// Owned by one ``SessionKeeper`` and used in its isolation only.
struct PasswordChanger {
    private let store: any SessionStore
    private let system: ClientDependencies
    private let current: CurrentSession
    private let storage: SessionStorage
    private let tasks: TokenTasks
    private let transitions: SessionTransitions
    private let refreshes: RefreshCoordinator

    init(
        store: any SessionStore, system: ClientDependencies, current: CurrentSession, storage: SessionStorage,
        tasks: TokenTasks, transitions: SessionTransitions, refreshes: RefreshCoordinator
    ) {
        self.store = store
        self.system = system
        self.current = current
        self.storage = storage
        self.tasks = tasks
        self.transitions = transitions
        self.refreshes = refreshes
    }

    /// Changes the password, and continues with the tokens of the response.
    ///
    /// No refresh runs concurrently in this process: it would present the refresh token that the change revokes. A
    /// sibling process may present it, as not every store has a refresh lease, and keeps the session meanwhile because
    /// the store holds ``ClientSession/passwordChangeStartedAt``.
    func change(
        in id: ClientSession.ID, from currentPassword: Secret<String>?, to new: Secret<String>,
        on keeper: isolated SessionKeeper
    ) async throws(ClientError) {
        while true {
            if let refresh = tasks.refresh(of: id) {
                _ = await refresh.value
            } else if let other = tasks.passwordChange(of: id) {
                _ = await other.value
            } else {
                break
            }
        }
        let change = Task { () -> Result<Void, ClientError> in
            let result: Result<Void, ClientError>
            let startedAt = system.now().wholeSeconds
            _ = await storage.change(on: keeper) { saved in saved[id]?.passwordChangeStartedAt = startedAt }
            do throws(ClientError) {
                result = .success(try await send(in: id, from: currentPassword, to: new, on: keeper))
            } catch {
                result = .failure(error)
            }
            _ = await storage.change(on: keeper) { saved in saved[id]?.passwordChangeStartedAt = nil }
            tasks.passwordChangeEnded(of: id)
            return result
        }
        tasks.begin(change, of: id)
        try await change.value.get()
    }

    private func send(
        in id: ClientSession.ID, from currentPassword: Secret<String>?, to new: Secret<String>,
        on keeper: isolated SessionKeeper
    ) async throws(ClientError) {
        let lease = try? await store.refreshLease()
        defer { lease?.end() }
        if case .found(let saved) = await storage.read(on: keeper), let entry = saved[id], let held = current.held(id),
            entry.accessToken != held.session.accessToken
        {
            transitions.adoptTokens(entry, on: keeper)
        }
        guard let former = current.held(id)?.session else { throw current.signedOutError }
        let changed = try await keeper.perform(
            ChangePassword(accessToken: former.accessToken, currentPassword: currentPassword, newPassword: new),
            as: IssuedToken(former))
        guard let tokens = changed.tokens else { return }
        // The server has revoked every earlier refresh token, also one that a sibling process has stored meanwhile.
        _ = await refreshes.commit(
            former.renewed(with: tokens, at: system.now()), instead: former,
            replacesOthers: tokens.refreshToken != nil, on: keeper)
    }
}
