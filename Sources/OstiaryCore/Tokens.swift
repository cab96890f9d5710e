/// The tokens of a signed-in client.
public struct Tokens: Hashable, Sendable {
    /// The token that authorizes each request.
    public var accessToken: Secret<String>
    /// The remaining lifetime of the access token when issued; nil if the contract does not send it (the token's `exp`
    /// does).
    public var expiresIn: Duration?
    /// The token that ``Refresh`` exchanges for new tokens; nil for contracts without refresh.
    public var refreshToken: Secret<String>?

    /// Creates a token set from its parts.
    public init(accessToken: Secret<String>, expiresIn: Duration?, refreshToken: Secret<String>?) {
        self.accessToken = accessToken
        self.expiresIn = expiresIn
        self.refreshToken = refreshToken
    }
}

/// The result of every operation that opens a session.
public struct SignedIn: Hashable, Sendable {
    /// The tokens of the new session.
    public var tokens: Tokens
    /// The signed-in user; nil if the backend omits it.
    public var user: User?

    /// Creates a result from its parts.
    public init(tokens: Tokens, user: User?) {
        self.tokens = tokens
        self.user = user
    }
}
