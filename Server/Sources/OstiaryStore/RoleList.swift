import Foundation
import OstiaryCore
import OstiaryEngine

/// Role names in the format of their column: a JSON array.
struct RoleList {
    var names: [String]

    init(names: [String]) { self.names = names.sorted() }

    init(_ text: String) throws {
        names = text == "[]" ? [] : try JSONDecoder().decode([String].self, from: Data(text.utf8))
    }

    func text() throws -> String {
        names.isEmpty ? "[]" : String(decoding: try JSONEncoder().encode(names), as: UTF8.self)
    }
}
