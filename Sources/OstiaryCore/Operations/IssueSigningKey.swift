/// Tells the key that signs the requests of the session. Asking again gives the same key.
///
/// Throws ``AuthError/notFound`` where the app signs no requests.
public struct IssueSigningKey: AuthOperation {
    public var accessToken: Secret<String>

    public init(accessToken: Secret<String>) {
        self.accessToken = accessToken
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
    public let secret: Secret<[UInt8]>

    public init(id: String, secret: Secret<[UInt8]>) {
        self.id = id
        self.secret = secret
    }
}
