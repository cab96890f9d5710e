public import Foundation

/// A second factor of an account.
public struct AdminFactor: AdminValue {
    /// The identifier.
    public var id: String = ""
    /// The kind, such as `totp` or `passkey`.
    public var type: String = ""
    /// The name that its owner gave it.
    public var name: String = ""
    /// The time at which the factor was added.
    public var createdAt: Date = Date(timeIntervalSince1970: 0)
    /// The time of the last use.
    public var lastUsedAt: Date?

    /// The name of the value's schema.
    public static let schemaName = "Factor"
    /// The members of the JSON object.
    public static let members: [AdminMember<AdminFactor>] = [
        .required("id", \.id, .id),
        .required("type", \.type, .text()),
        .required("name", \.name, .text()),
        .required("created_at", \.createdAt, .time),
        .nullable("last_used_at", \.lastUsedAt, .time),
    ]
    /// Creates a value without content, whose properties are set afterwards.
    public init() {}
}
