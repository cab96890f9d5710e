import Foundation
import OstiaryCore
import OstiaryEngine

/// A second factor as commands show it.
struct FactorRecord: Codable, Sendable {
    var id: String
    /// `totp` or `passkey`.
    var type: String
    var name: String
    var createdAt: Date
    var lastUsedAt: Date?

    private enum CodingKeys: String, CodingKey {
        case id, type, name
        case createdAt = "created_at"
        case lastUsedAt = "last_used_at"
    }
}

extension FactorRecord {
    init(_ factor: Factor) {
        id = factor.id.text
        type = factor.kind.rawValue
        name = factor.name
        createdAt = factor.createdAt
        lastUsedAt = factor.lastUsedAt
    }
}
