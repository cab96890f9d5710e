import OstiaryContracts
import OstiaryCore

extension AdminType where Value: AdminValue {
    /// An object with fixed members.
    static var object: AdminType {
        AdminType(
            schema: ["$ref": .string("#/components/schemas/\(Value.schemaName)")], form: .object(Value.self),
            read: { json, reader in reader.object(Value.self, json) }, write: { $0.json })
    }
}

extension AdminType {
    /// A list.
    ///
    /// - Parameter maximum: The maximum number of elements in a request.
    static func list<Element>(_ element: AdminType<Element>, max maximum: Int = 256) -> AdminType
    where Value == [Element] {
        let form: AdminForm = if case .object = element.form { element.form } else { .other }
        return AdminType(
            schema: ["type": "array", "items": element.schema], form: form,
            read: { json, reader in
                guard case .array(let elements) = json else {
                    reader.fail(FieldProblem.mistyped.code)
                    return nil
                }
                guard reader.mode == .answer || elements.count <= maximum else {
                    reader.fail(AdminFieldError.tooMany)
                    return nil
                }
                var result: [Element] = []
                result.reserveCapacity(elements.count)
                for (index, json) in elements.enumerated() {
                    if let value = reader.at(String(index), { reader in element.read(json, &reader) }) {
                        result.append(value)
                    }
                }
                return result
            }, write: { .array($0.map(element.write)) })
    }
}

extension AdminType where Value: RawRepresentable<String> & CaseIterable {
    /// One of a fixed set of names.
    static var name: AdminType {
        AdminType(
            schema: ["type": "string", "enum": .array(Value.allCases.map { .string($0.rawValue) })],
            read: { json, reader in
                guard let text = reader.text(json, 0, 64) else { return nil }
                let value = Value.allCases.first { $0.rawValue.utf8.elementsEqual(text.utf8) }
                if let value { return value }
                // A name that a newer server has added.
                if reader.mode == .answer, let value = Value(rawValue: text) { return value }
                reader.fail(FieldProblem.notSupported.code)
                return nil
            }, write: { .string($0.rawValue) })
    }
}
