import OstiaryContracts

/// As much of JSON Schema 2020-12 as the derived documents use.
struct SchemaCheck {
    let document: JSON

    /// What is wrong with a value; empty if it is as the schema says.
    func problems(_ value: JSON, against schema: JSON, at place: String = "$") -> [String] {
        if case .string(let reference) = schema["$ref"] {
            guard let target = resolve(reference) else { return ["\(place): \(reference) is not there"] }
            return problems(value, against: target, at: place)
        }
        if case .array(let choices) = schema["anyOf"] {
            return choices.contains { problems(value, against: $0).isEmpty } ? [] : ["\(place): none of the choices"]
        }
        var found: [String] = []
        if let constant = schema["const"], constant != value { found.append("\(place): is not \(constant)") }
        if case .array(let values) = schema["enum"], !values.contains(value) { found.append("\(place): not listed") }
        if let type = schema["type"], !types(type).contains(Self.type(of: value)) {
            return found + ["\(place): \(Self.type(of: value)) instead of \(types(type))"]
        }
        if case .string(let text) = value { found += textProblems(text, schema, at: place) }
        if case .array(let elements) = value, let items = schema["items"] {
            found += elements.flatMap { problems($0, against: items, at: "\(place)[]") }
        }
        if case .object(let members) = value { found += objectProblems(members, schema, at: place) }
        return found
    }

    private func objectProblems(_ members: [JSON.Member], _ schema: JSON, at place: String) -> [String] {
        var found: [String] = []
        for member in members {
            if let property = schema["properties"]?[member.name] {
                found += problems(member.value, against: property, at: "\(place).\(member.name)")
            } else if schema["additionalProperties"] == false {
                found.append("\(place).\(member.name): not described")
            } else if let rest = schema["additionalProperties"] {
                found += problems(member.value, against: rest, at: "\(place).\(member.name)")
            }
        }
        guard case .array(let required) = schema["required"] else { return found }
        for case .string(let name) in required where !members.contains(where: { $0.name == name }) {
            found.append("\(place).\(name): missing")
        }
        return found
    }

    private func textProblems(_ text: String, _ schema: JSON, at place: String) -> [String] {
        var found: [String] = []
        if case .string(let pattern) = schema["pattern"], let regex = try? Regex(pattern),
            text.firstMatch(of: regex) == nil
        {
            found.append("\(place): does not match \(pattern)")
        }
        if case .integer(let maximum) = schema["maxLength"], text.unicodeScalars.count > maximum {
            found.append("\(place): too long")
        }
        return found
    }

    /// The value of a `#/…` reference.
    func resolve(_ reference: String) -> JSON? {
        reference.split(separator: "/").dropFirst().reduce(document) { value, name in value?[String(name)] }
    }

    private func types(_ type: JSON) -> [String] {
        switch type {
        case .string(let name): [name]
        case .array(let names): names.compactMap { if case .string(let name) = $0 { name } else { nil } }
        default: []
        }
    }

    private static func type(of value: JSON) -> String {
        switch value {
        case .null: "null"
        case .boolean: "boolean"
        case .integer: "integer"
        case .number: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }
}
