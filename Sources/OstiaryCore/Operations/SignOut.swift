/// Ends the session of the tokens given. With unknown, foreign or dead tokens it succeeds and does nothing.
public struct SignOut: AuthOperation {
    public var accessToken: Secret<String>?
    public var refreshToken: Secret<String>?
    /// Another access token of the same account whose session ends too; a token of another account is left alone.
    public var alsoEnding: Secret<String>?

    public init(
        accessToken: Secret<String>? = nil, refreshToken: Secret<String>? = nil,
        alsoEnding: Secret<String>? =
            nil
    ) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.alsoEnding = alsoEnding
    }

    public static let kind = OperationKind.signOut
    public func perform(by service: some AuthService) async throws(AuthError) -> Done {
        try await service.signOut(self)
    }
}
