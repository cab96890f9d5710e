public import OstiaryCore

/// A session in which an administrator acts for an account.
public struct Impersonation: Sendable {
    /// The access token, which has the claim `act`. There is no refresh token. Source: RFC 8693 §4.1.
    public var accessToken: Secret<String>
    /// The lifetime of the token and of the session, in seconds.
    public var expiresInSeconds: Int
    /// The id of the session.
    public var session: SessionID
}
