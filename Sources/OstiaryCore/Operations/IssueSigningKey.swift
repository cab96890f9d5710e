/// Issues the key that signs the session's requests: once for an access token alone, later only to a caller that also
/// presents the session's current refresh token.
///
/// Every request carries the access token; if it sufficed each time, a stolen access token would be enough to sign
/// requests.
///
/// Throws ``AuthError/notFound`` if the app does not use signed requests, ``AuthError/signingKeyAlreadyIssued`` if the
/// key was issued before and no current refresh token of the session is presented.
public struct IssueSigningKey: AuthOperation {
    /// The access token of the session.
    public var accessToken: Secret<String>
    /// The session's current refresh token, as proof of possession; nil if the app has no refresh tokens, or the key
    /// was never issued.
    public var refreshToken: Secret<String>?

    /// Creates the operation from its parts.
    public init(accessToken: Secret<String>, refreshToken: Secret<String>? = nil) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
    }

    /// The name of this operation, ``OperationKind/issueSigningKey``.
    public static let kind = OperationKind.issueSigningKey
    /// Calls ``AuthService/issueSigningKey(_:)``.
    public func perform(by service: some AuthService) async throws(AuthError) -> RequestSigningKey {
        try await service.issueSigningKey(self)
    }
}

/// A key that a server issued to one session for signing its requests. It is valid as long as the session.
public struct RequestSigningKey: Hashable, Sendable {
    /// The key identifier that a signed request carries.
    public let id: String
    /// The maximum length of an ``id``, in UTF-8 bytes.
    public static let maximumIDBytes = 64
    /// The symmetric key, for HMAC-SHA256.
    public let secret: Secret<[UInt8]>

    /// Creates a key from its parts.
    public init(id: String, secret: Secret<[UInt8]>) {
        self.id = id
        self.secret = secret
    }
}
