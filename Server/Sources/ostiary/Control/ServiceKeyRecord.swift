import Foundation
import OstiaryCore
import OstiaryEngine

/// A service key as commands show it.
struct ServiceKeyRecord: Codable, Sendable {
    var id: String
    var name: String
    var scopes: [String]
    /// Empty for every app but the built-in provider's.
    var apps: [String]
    var networks: [String]
    var createdAt: Date
    var expiresAt: Date?
    var lastUsedAt: Date?
    var revokedAt: Date?
    /// The text of the key; nil except at its creation.
    var key: AccountRecord.SecretText?

    init(_ key: ServiceKey, text: Secret<String>? = nil) {
        id = key.id.text
        name = key.name
        scopes = key.scopes.map(\.rawValue)
        apps = key.apps.map(\.text)
        networks = key.networks.map(\.description)
        createdAt = key.createdAt
        expiresAt = key.expiresAt
        lastUsedAt = key.lastUsedAt
        revokedAt = key.revokedAt
        self.key = text.map { AccountRecord.SecretText($0) }
    }

    private enum CodingKeys: String, CodingKey {
        case id, name, scopes, apps, networks, key
        case createdAt = "created_at"
        case expiresAt = "expires_at"
        case lastUsedAt = "last_used_at"
        case revokedAt = "revoked_at"
    }
}
