/// What a signed-in client holds.
public struct Tokens: Hashable, Sendable {
    public var accessToken: Secret<String>
    /// How long the access token lives from now; nil where the contract does not say (the token's `exp` does).
    public var expiresIn: Duration?
    /// Nil for contracts without refresh.
    public var refreshToken: Secret<String>?

    public init(accessToken: Secret<String>, expiresIn: Duration?, refreshToken: Secret<String>?) {
        self.accessToken = accessToken
        self.expiresIn = expiresIn
        self.refreshToken = refreshToken
    }
}

/// The answer to everything that signs a person in.
public struct SignedIn: Hashable, Sendable {
    public var tokens: Tokens
    /// Nil where a backend leaves the user out.
    public var user: User?

    public init(tokens: Tokens, user: User?) {
        self.tokens = tokens
        self.user = user
    }
}
