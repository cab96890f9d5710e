import Foundation
import OstiaryCore

/// The permissions of a role in the format of their column: a JSON array of their texts.
struct PermissionPatterns {
    var patterns: [PermissionPattern]

    init(_ patterns: [PermissionPattern]) { self.patterns = patterns }

    init(_ text: String) throws {
        patterns = try JSONDecoder().decode([String].self, from: Data(text.utf8)).map { try PermissionPattern($0) }
    }

    func text() throws -> String {
        String(decoding: try JSONEncoder().encode(patterns.map(\.text)), as: UTF8.self)
    }
}
