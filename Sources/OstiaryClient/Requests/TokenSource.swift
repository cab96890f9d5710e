import OstiaryCore

/// Where requests get the session's access token from.
protocol TokenSource: Sendable {
    /// A token that is good for a request, refreshed first where it must be.
    func token() async throws(ClientError) -> IssuedToken
    /// A token other than one that earned a 401: the current one if it is another, else a fresh one. However many ask for
    /// the same token's replacement, one refresh goes out.
    ///
    /// - Parameter refusal: Why the server did not accept it, if the session ends over it.
    /// - Throws: ``ClientError/sessionEnded(_:)`` where there is no other, and no way to one.
    func replacement(for used: IssuedToken, refusal: AuthError) async throws(ClientError) -> IssuedToken
    /// Says that the server has taken a token.
    func accepted(_ token: IssuedToken)
}

extension SessionKeeper: TokenSource {}
