import OstiaryContracts
import OstiaryCore

extension SessionKeeper {
    /// Changes the password, and goes on with the tokens of the answer.
    ///
    /// No refresh is under way meanwhile, in this process or in a sibling: it would present the refresh token that the change
    /// withdraws.
    func changePassword(from current: Secret<String>, to new: Secret<String>) async throws(ClientError) {
        let token = try await token()
        // Getting the key may take a refresh, which waits while the password is being changed.
        try await signing?.prepare(for: token)
        do {
            try await performPasswordChange(in: token.session, from: current, to: new)
        } catch .refused(let refusal) where refusal.isAboutAccessToken {
            let next = try await replacement(for: token, refusal: refusal)
            try await performPasswordChange(in: next.session, from: current, to: new)
        }
    }

    private func performPasswordChange(
        in id: ClientSession.ID, from current: Secret<String>, to new: Secret<String>
    ) async throws(ClientError) {
        while true {
            if let flight = flights[id] {
                _ = await flight.value
            } else if let other = passwordChanges[id] {
                _ = await other.value
            } else {
                break
            }
        }
        let change = Task { () -> Result<Void, ClientError> in
            let result: Result<Void, ClientError>
            do throws(ClientError) {
                result = .success(try await sendPasswordChange(in: id, from: current, to: new))
            } catch {
                result = .failure(error)
            }
            passwordChanges[id] = nil
            return result
        }
        passwordChanges[id] = change
        try await change.value.get()
    }

    private func sendPasswordChange(
        in id: ClientSession.ID, from current: Secret<String>, to new: Secret<String>
    ) async throws(ClientError) {
        let turn = try? await store.refreshTurn()
        defer { turn?.end() }
        if case .found(let saved) = await read(), let entry = saved[id], let held = held(id),
            entry.accessToken != held.session.accessToken
        {
            adopt(entry)
        }
        guard let former = held(id)?.session else { throw signedOutError }
        let changed = try await perform(
            ChangePassword(accessToken: former.accessToken, currentPassword: current, newPassword: new),
            as: IssuedToken(former))
        guard let tokens = changed.tokens else { return }
        _ = await commit(former.renewed(with: tokens, at: surroundings.now()), instead: former)
    }
}
