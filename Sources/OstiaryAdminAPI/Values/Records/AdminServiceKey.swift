public import Foundation
public import OstiaryCore

/// A key with which a service calls this API.
public struct AdminServiceKey: AdminValue {
    /// The identifier, which is part of the key.
    public var id: String = ""
    /// The name.
    public var name: String = ""
    /// The rights of the key.
    public var scopes: [String] = []
    /// The apps that the key reaches; empty for every app but `idp`.
    public var apps: [String] = []
    /// The networks from which the key is accepted; empty for every network.
    public var networks: [String] = []
    /// The time of creation.
    public var createdAt: Date = Date(timeIntervalSince1970: 0)
    /// The time at which the key expires.
    public var expiresAt: Date?
    /// The time of the last use.
    public var lastUsedAt: Date?
    /// The time at which the key was revoked.
    public var revokedAt: Date?
    /// The key itself, at its creation only.
    public var key: Secret<String>?

    /// The name of the value's schema.
    public static let schemaName = "ServiceKey"
    /// The members of the JSON object.
    public static let members: [AdminMember<AdminServiceKey>] = [
        .required("id", \.id, .id),
        .required("name", \.name, .text()),
        .required("scopes", \.scopes, .list(.text())),
        .required("apps", \.apps, .list(.app)),
        .required("networks", \.networks, .list(.text())),
        .required("created_at", \.createdAt, .time),
        .nullable("expires_at", \.expiresAt, .time),
        .nullable("last_used_at", \.lastUsedAt, .time),
        .nullable("revoked_at", \.revokedAt, .time),
        .optional("key", \.key, .secret),
    ]
    /// Creates a value without content, whose properties are set afterwards.
    public init() {}
}
