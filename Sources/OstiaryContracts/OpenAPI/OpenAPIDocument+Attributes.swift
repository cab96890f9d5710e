import OstiaryCore

extension OpenAPIDocument {
    /// The members of a user for the visible account attributes, null for one without a value.
    var attributeAnswerMembers: [JSON.Member] { members(attributes.visible) }

    /// The members of a request for the account attributes that an account's owner may write.
    var attributeRequestMembers: [JSON.Member] { members(attributes.all.filter { $0.access == .owner }) }

    private func members(_ definitions: [AttributeDefinition]) -> [JSON.Member] {
        definitions.map { definition in
            let schema = Self.schema(of: definition)
            // A list of permitted texts has no null.
            let optional = schema["enum"] == nil ? orNull(schema) : ["anyOf": [schema, ["type": "null"]]]
            return JSON.Member(contract.naming.spelling(ofAttribute: definition.name), optional)
        }
    }

    private static func schema(of definition: AttributeDefinition) -> JSON {
        let choices = definition.allowed.map { JSON.Member("enum", .array($0.map { .string($0) })) }
        switch definition.type {
        case .string:
            return .object(
                [JSON.Member("type", "string"), JSON.Member("maxLength", .integer(definition.maximum))]
                    + [choices].compactMap(\.self))
        case .integer:
            let range = AttributeType.exactIntegers
            return [
                "type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound),
            ]
        case .number: return ["type": "number"]
        case .boolean: return ["type": "boolean"]
        case .stringList:
            let items = [
                JSON.Member("type", "string"),
                JSON.Member("maxLength", .integer(AttributeDefinition.maximumElementBytes)),
            ]
            return [
                "type": "array", "items": .object(items + [choices].compactMap(\.self)),
                "maxItems": .integer(definition.maximum),
            ]
        case .dateTime: return ["type": "string", "format": "date-time"]
        }
    }
}
