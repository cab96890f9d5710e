import Foundation
import OstiaryCore
import OstiaryEngine

/// A signing key as commands show it, without key material.
struct KeyRecord: Codable, Sendable {
    var app: String
    var kid: String
    var algorithm: String
    var createdAt: Date
    /// Nil for the key in use.
    var retiresAt: Date?

    init(_ key: StoredSigningKey, of app: AppName) {
        self.app = app.text
        kid = key.kid
        algorithm = key.algorithm
        createdAt = key.createdAt
        retiresAt = key.retiresAt
    }

    private enum CodingKeys: String, CodingKey {
        case app, kid, algorithm
        case createdAt = "created_at"
        case retiresAt = "retires_at"
    }
}
