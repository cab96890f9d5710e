import OstiaryContracts
import OstiaryCore

/// The attributes of an account in the format of their column: a JSON object whose members are in the order of their names.
struct AttributeText {
    var attributes: [String: AttributeValue]

    init(_ attributes: [String: AttributeValue]) { self.attributes = attributes }

    init(_ text: String) throws {
        attributes = [:]
        // Most accounts have none, and every request with a session reads its account.
        guard text != Self.none else { return }
        guard case .object(let members) = try JSON.read(Array(text.utf8)) else { throw FieldProblem.malformed }
        for member in members {
            guard AttributeDefinition.isName(member.name), let value = AttributeValue(member.value) else {
                throw FieldProblem.malformed
            }
            attributes[member.name] = value
        }
    }

    var text: String {
        guard !attributes.isEmpty else { return Self.none }
        let members = attributes.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        return String(decoding: JSON.object(members.map { JSON.Member($0.key, JSON($0.value)) }).bytes, as: UTF8.self)
    }

    private static let none = "{}"
}
