/// A field of a message, required or optional. Encoded as `"name"` or `"name?"`.
public struct FieldSpec: Hashable, Sendable {
    /// The canonical name of the field.
    public var field: Field
    /// `true` if a request may omit the field or set it to null; an answer writes null for a missing value.
    public var isOptional: Bool

    /// Creates the specification of a field, required by default.
    public init(_ field: Field, isOptional: Bool = false) {
        self.field = field
        self.isOptional = isOptional
    }

    /// Creates the specification of a required field.
    public static func required(_ field: Field) -> FieldSpec { FieldSpec(field) }
    /// Creates the specification of an optional field.
    public static func optional(_ field: Field) -> FieldSpec { FieldSpec(field, isOptional: true) }
}

extension FieldSpec: Codable {
    /// Decodes `"name"` or `"name?"`.
    ///
    /// - Throws: `DecodingError` if there is no field with that name.
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

    /// Encodes as `"name"` or `"name?"`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(field.rawValue + (isOptional ? "?" : ""))
    }
}
