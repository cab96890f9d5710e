import OstiaryCore

/// The source of the session's access token.
protocol TokenSource: Sendable {
    /// Returns a token that is valid for a request, refreshed first if necessary.
    func token() async throws(ClientError) -> IssuedToken
    /// Returns a token other than one that was rejected with a 401: the current one if it differs, else a fresh one.
    /// Concurrent calls for the same token share one refresh (single flight).
    ///
    /// - Parameter refusal: The reason for the rejection, with which the session ends if it must.
    /// - Throws: ``ClientError/sessionEnded(_:)`` if there is no other token and no way to get one.
    func replacement(for used: IssuedToken, refusal: AuthError) async throws(ClientError) -> IssuedToken
    /// Reports that the server has accepted a token.
    func accepted(_ token: IssuedToken)
}

extension SessionKeeper: TokenSource {}
