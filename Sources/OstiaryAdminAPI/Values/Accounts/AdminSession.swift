public import Foundation

/// A session of an account.
public struct AdminSession: AdminValue {
    /// The identifier.
    public var id: String = ""
    /// The time at which the session was opened.
    public var createdAt: Date = Date(timeIntervalSince1970: 0)
    /// The time of the last use.
    public var lastUsedAt: Date = Date(timeIntervalSince1970: 0)
    /// The time at which the session ends.
    public var expiresAt: Date?
    /// The network address of the last use.
    public var address: String?
    /// The country of the address; nil where the server does not know it, and in an export. Source: ISO 3166-1 alpha-2.
    public var country: String?
    /// The client's `User-Agent` header.
    public var userAgent: String?
    /// The client's description of its device.
    public var device: AdminDevice?
    /// The assurance level of the authentication, such as `aal2`.
    public var acr: String?
    /// The methods of the authentication. Source: RFC 8176.
    public var amr: [String] = []
    /// The administrator that impersonates the account; nil for the owner's own session.
    public var actor: String?

    /// The name of the value's schema.
    public static let schemaName = "Session"
    /// The members of the JSON object.
    public static let members: [AdminMember<AdminSession>] = [
        .required("id", \.id, .id),
        .required("created_at", \.createdAt, .time),
        .required("last_used_at", \.lastUsedAt, .time),
        .nullable("expires_at", \.expiresAt, .time),
        .nullable("address", \.address, .text()),
        .nullable("country", \.country, .text()),
        .nullable("user_agent", \.userAgent, .text()),
        .nullable("device", \.device, .object),
        .nullable("acr", \.acr, .text()),
        .required("amr", \.amr, .list(.text())),
        .nullable("actor", \.actor, .text()),
    ]
    /// Creates a value without content, whose properties are set afterwards.
    public init() {}
}
