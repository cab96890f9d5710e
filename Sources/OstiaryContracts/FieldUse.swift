public import OstiaryCore

/// A field in a message, and whether it may be absent. Written `"name"` or `"name?"`.
public struct FieldUse: Hashable, Sendable {
    public var field: Field
    /// In a request: absent or null is fine. In an answer: written as null where there is no value.
    public var isOptional: Bool

    public init(_ field: Field, isOptional: Bool = false) {
        self.field = field
        self.isOptional = isOptional
    }

    public static func required(_ field: Field) -> FieldUse { FieldUse(field) }
    public static func optional(_ field: Field) -> FieldUse { FieldUse(field, isOptional: true) }
}

extension FieldUse: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        var text = try container.decode(String.self)
        let isOptional = text.hasSuffix("?")
        if isOptional { text.removeLast() }
        guard let field = Field(rawValue: text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "there is no field named \(text)")
        }
        self.init(field, isOptional: isOptional)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(field.rawValue + (isOptional ? "?" : ""))
    }
}
