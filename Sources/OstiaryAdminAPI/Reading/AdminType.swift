import OstiaryContracts

/// The form of a member's value: reading, writing and schema.
struct AdminType<Value: Sendable>: Sendable {
    /// The JSON Schema, without null.
    let schema: JSON
    let form: AdminForm
    /// Reads a value that is not null; nil after a problem that the reader has collected.
    let read: @Sendable (JSON, inout AdminReader) -> Value?
    let write: @Sendable (Value) -> JSON

    init(
        schema: JSON, form: AdminForm = .text, read: @escaping @Sendable (JSON, inout AdminReader) -> Value?,
        write: @escaping @Sendable (Value) -> JSON
    ) {
        self.schema = schema
        self.form = form
        self.read = read
        self.write = write
    }
}

/// The part of a form that the text of a parameter and the components of an OpenAPI document depend on.
enum AdminForm: Sendable {
    case text
    case integer
    case flag
    /// Objects, here or in a list.
    case object(any AdminValue.Type)
    /// Another JSON value, which no parameter has.
    case other

    /// Returns the JSON value that the text of a parameter stands for; nil if it has another form.
    func value(ofParameter text: String) -> JSON? {
        switch self {
        case .text, .object, .other: .string(text)
        case .integer:
            text.utf8.count <= 19 && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
                ? Int(text).map { .integer($0) } : nil
        case .flag:
            if text.utf8.elementsEqual("true".utf8) {
                .boolean(true)
            } else if text.utf8.elementsEqual("false".utf8) {
                .boolean(false)
            } else {
                nil
            }
        }
    }
}

extension JSON {
    /// The schema extended by null.
    var orNull: JSON {
        guard case .object(var members) = self, self["enum"] == nil, self["const"] == nil,
            let index = members.firstIndex(where: { $0.name == "type" })
        else { return ["anyOf": [self, ["type": "null"]]] }
        members[index].value = [members[index].value, "null"]
        return .object(members)
    }
}
