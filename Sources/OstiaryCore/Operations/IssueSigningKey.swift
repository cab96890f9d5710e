/// Issues the key that signs the requests of the session: once for an access token alone, later only to a caller that also
/// presents the session's current refresh token.
///
/// An access token travels with every request; were it enough for the key each time, a stolen one would sign as well.
///
/// Throws ``AuthError/notFound`` where the app signs no requests, ``AuthError/signingKeyAlreadyIssued`` where the key was
/// issued and no current refresh token of the session is presented.
public struct IssueSigningKey: AuthOperation {
    public var accessToken: Secret<String>
    /// Proves that the caller holds the session; nil where the app has no refresh tokens, or the key was never issued.
    public var refreshToken: Secret<String>?

    public init(accessToken: Secret<String>, refreshToken: Secret<String>? = nil) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
    }

    public static let kind = OperationKind.issueSigningKey
    public func perform(by service: some AuthService) async throws(AuthError) -> RequestSigningKey {
        try await service.issueSigningKey(self)
    }
}

/// A key that a server gave to one session, for signing its requests. It is dead when the session is.
public struct RequestSigningKey: Hashable, Sendable {
    /// What a request names the key by.
    public let id: String
    /// The most bytes of an ``id``.
    public static let maximumIDBytes = 64
    public let secret: Secret<[UInt8]>

    public init(id: String, secret: Secret<[UInt8]>) {
        self.id = id
        self.secret = secret
    }
}
