import OstiaryCore

extension Naming {
    /// Returns the spelling of an account attribute by this rule.
    func spelling(ofAttribute name: String) -> String {
        switch self {
        case .snakeCase: name
        case .camelCase: Self.camelCased(name)
        }
    }

    /// Returns the name of the account attribute with a spelling; nil for a text that spells none by this rule.
    func attribute(spelled text: String) -> String? {
        guard text.utf8.count <= AttributeDefinition.maximumNameBytes else { return nil }
        switch self {
        case .snakeCase: return AttributeDefinition.isName(text) ? text : nil
        case .camelCase:
            guard !text.utf8.contains(UInt8(ascii: "_")) else { return nil }
            let name = text.snakeCased
            return AttributeDefinition.isName(name) ? name : nil
        }
    }

    private static func camelCased(_ name: String) -> String {
        var bytes: [UInt8] = []
        var beginsWord = false
        for byte in name.utf8 {
            if byte == UInt8(ascii: "_") {
                beginsWord = true
            } else {
                bytes.append(beginsWord ? byte & ~0x20 : byte)
                beginsWord = false
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
