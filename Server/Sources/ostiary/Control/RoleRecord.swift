import OstiaryCore
import OstiaryEngine

/// A role as commands show it.
struct RoleRecord: Codable, Sendable {
    var name: String
    var permissions: [String]
    var source: String
}

extension RoleRecord {
    init(_ role: RoleDefinition) {
        name = role.name
        permissions = role.permissions.map(\.text)
        source = role.source.rawValue
    }
}
