/// A request for a short session of a person, for support.
public struct AdminImpersonationRequest: AdminValue {
    /// The reason, which the audit log keeps.
    public var reason: String = ""
    /// The lifetime in seconds, at most 15 minutes.
    public var expiresIn: Int?

    /// The name of the value's schema.
    public static let schemaName = "ImpersonationRequest"
    /// The members of the JSON object.
    public static let members: [AdminMember<AdminImpersonationRequest>] = [
        .required("reason", \.reason, .text(1, max: 500)),
        .optional("expires_in", \.expiresIn, .integer(1...900)),
    ]
    /// Creates a value without content, whose properties are set afterwards.
    public init() {}

    /// Creates a value from its parts.
    public init(reason: String, expiresIn: Int? = nil) {
        self.reason = reason
        self.expiresIn = expiresIn
    }
}
