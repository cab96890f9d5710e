import Foundation
import OstiaryCore
import OstiaryEngine

/// A signing key as commands show it, without key material.
struct KeyRecord: Codable, Sendable {
    var app: String
    var kid: String
    var algorithm: String
    /// The raw value of ``StoredSigningKey/State``.
    var state: String
    /// The time from which the key signs.
    var createdAt: Date
    /// Nil for a key without a successor.
    var retiresAt: Date?

    init(_ key: StoredSigningKey, of app: AppName, among keys: [StoredSigningKey], at now: Date) {
        self.app = app.text
        kid = key.kid
        algorithm = key.algorithm
        state = key.state(at: now, among: keys).rawValue
        createdAt = key.createdAt
        retiresAt = key.retiresAt
    }

    private enum CodingKeys: String, CodingKey {
        case app, kid, algorithm, state
        case createdAt = "created_at"
        case retiresAt = "retires_at"
    }
}
