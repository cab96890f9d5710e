public import OstiaryCore

/// How canonical field names are spelled on the wire.
public enum Naming: String, Codable, Hashable, Sendable {
    /// `phoneNumber`
    case camelCase
    /// `phone_number`
    case snakeCase

    public func spelling(of field: Field) -> String {
        switch self {
        case .camelCase: field.rawValue
        case .snakeCase: field.snakeCased
        }
    }
}
