/// The refreshes and password changes in progress: at most one of each per session.
///
/// A password change revokes the refresh token that a refresh would present. Owned by one ``SessionKeeper`` and used in
/// its isolation only.
final class TokenTasks {
    typealias Refresh = Task<Result<ClientSession, ClientError>, Never>
    typealias PasswordChange = Task<Result<Void, ClientError>, Never>

    private var refreshes: [ClientSession.ID: Refresh] = [:]
    private var passwordChanges: [ClientSession.ID: PasswordChange] = [:]

    func refresh(of id: ClientSession.ID) -> Refresh? { refreshes[id] }
    func passwordChange(of id: ClientSession.ID) -> PasswordChange? { passwordChanges[id] }

    func begin(_ refresh: Refresh, of id: ClientSession.ID) { refreshes[id] = refresh }
    func begin(_ change: PasswordChange, of id: ClientSession.ID) { passwordChanges[id] = change }

    func refreshEnded(of id: ClientSession.ID) { refreshes[id] = nil }
    func passwordChangeEnded(of id: ClientSession.ID) { passwordChanges[id] = nil }

    /// Cancels the refresh of a session that ends. A later refresh of the same session starts anew.
    func cancelRefresh(of id: ClientSession.ID) { refreshes.removeValue(forKey: id)?.cancel() }

    func settle(on keeper: isolated SessionKeeper) async {
        for change in passwordChanges.values { _ = await change.value }
        for refresh in refreshes.values { _ = await refresh.value }
    }
}
