import Foundation
import OstiaryCore
import OstiaryEngine

/// Assigned roles in the format of their column: a JSON array of their texts.
struct RoleList {
    var assignments: [RoleAssignment]

    init(_ assignments: [RoleAssignment]) { self.assignments = assignments.sorted() }

    init(_ text: String) throws {
        assignments =
            text == "[]"
            ? [] : try JSONDecoder().decode([String].self, from: Data(text.utf8)).map { try RoleAssignment($0) }
    }

    func text() throws -> String {
        assignments.isEmpty ? "[]" : String(decoding: try JSONEncoder().encode(assignments.map(\.text)), as: UTF8.self)
    }
}
