public import OstiaryCore

extension AttributeValue {
    /// Creates the value of an account attribute from JSON; nil for null, an object, and an array of anything but texts.
    public init?(_ json: JSON) {
        switch json {
        case .string(let text): self = .string(text)
        case .integer(let integer): self = .integer(integer)
        case .number(let number): self = .number(number)
        case .boolean(let flag): self = .boolean(flag)
        case .array(let elements):
            var texts: [String] = []
            for element in elements {
                guard case .string(let text) = element else { return nil }
                texts.append(text)
            }
            self = .stringList(texts)
        case .null, .object: return nil
        }
    }
}

extension JSON {
    /// Creates the JSON of an account attribute's value.
    public init(_ attribute: AttributeValue) {
        switch attribute {
        case .string(let text): self = .string(text)
        case .integer(let integer): self = .integer(integer)
        case .number(let number): self = .number(number)
        case .boolean(let flag): self = .boolean(flag)
        case .stringList(let texts): self = .array(texts.map { .string($0) })
        }
    }
}
