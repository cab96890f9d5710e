public import OstiaryCore

/// A short session of a person, which its token shows as the administrator's.
public struct AdminImpersonation: AdminValue {
    /// The access token.
    public var accessToken: Secret<String> = Secret("")
    /// The type of the token, `Bearer`.
    public var tokenType: String = ""
    /// The lifetime in seconds.
    public var expiresIn: Int = 0
    /// The identifier of the session.
    public var sessionID: String = ""

    /// The name of the value's schema.
    public static let schemaName = "Impersonation"
    /// The members of the JSON object.
    public static let members: [AdminMember<AdminImpersonation>] = [
        .required("access_token", \.accessToken, .secret),
        .required("token_type", \.tokenType, .text()),
        .required("expires_in", \.expiresIn, .integer()),
        .required("session_id", \.sessionID, .id),
    ]
    /// Creates a value without content, whose properties are set afterwards.
    public init() {}
}
