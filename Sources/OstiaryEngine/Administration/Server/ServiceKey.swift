public import Foundation

/// A key of the admin API, for another program. Its secret is kept as a hash only.
public struct ServiceKey: Hashable, Sendable {
    /// The identifier, part of the key's text.
    public var id: ServiceKeyID
    /// The name, for administrators.
    public var name: String
    /// The keyed hash of the secret, see ``ServiceKeySecret``.
    public var hash: [UInt8]
    /// The rights.
    public var scopes: [AdministrationScope]
    /// The apps within reach; empty for every app but the built-in provider's.
    public var apps: [AppName]
    /// The networks that requests may come from; empty for any.
    public var networks: [AddressRange]
    /// The time of creation.
    public var createdAt: Date
    /// The time from which the key is refused; `nil` for none.
    public var expiresAt: Date?
    /// The time of the last use, exact to a minute; `nil` if there was none.
    public var lastUsedAt: Date?
    /// The time at which the key was revoked; `nil` if it was not.
    public var revokedAt: Date?

    /// Creates a key from its parts.
    public init(
        id: ServiceKeyID, name: String, hash: [UInt8], scopes: [AdministrationScope], apps: [AppName] = [],
        networks: [AddressRange] = [], createdAt: Date, expiresAt: Date? = nil, lastUsedAt: Date? = nil,
        revokedAt: Date? = nil
    ) {
        self.id = id
        self.name = name
        self.hash = hash
        self.scopes = scopes
        self.apps = apps
        self.networks = networks
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.lastUsedAt = lastUsedAt
        self.revokedAt = revokedAt
    }

    /// Returns `true` if the key is neither revoked nor expired.
    public func isValid(at now: Date) -> Bool { revokedAt == nil && expiresAt.map { now < $0 } ?? true }
}
