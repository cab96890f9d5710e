import OstiaryCore

// The user of the session, as the server reports it.
extension SessionKeeper {
    /// Fetches the signed-in user from the server and stores the result. Only a definite refusal ends the session.
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
}
