public import OstiaryCore

/// The rule by which canonical field names are spelled on the wire.
public enum Naming: String, Codable, Hashable, Sendable {
    /// Camel case, as in `phoneNumber`.
    case camelCase
    /// Snake case, as in `phone_number`.
    case snakeCase

    /// Returns the spelling of a field by this rule.
    public func spelling(of field: Field) -> String {
        switch self {
        case .camelCase: field.canonicalName
        case .snakeCase: field.snakeCasedName
        }
    }
}
