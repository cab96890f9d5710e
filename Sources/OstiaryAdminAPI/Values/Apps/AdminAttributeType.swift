/// The type of an account attribute.
///
/// A newer server may answer other names, which are kept.
public struct AdminAttributeType: RawRepresentable, Hashable, Sendable, CaseIterable {
    /// The name on the wire.
    public var rawValue: String

    /// Creates a value from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A text.
    public static let string = AdminAttributeType(rawValue: "string")
    /// A whole number.
    public static let integer = AdminAttributeType(rawValue: "integer")
    /// A finite number.
    public static let number = AdminAttributeType(rawValue: "number")
    /// A Boolean.
    public static let boolean = AdminAttributeType(rawValue: "boolean")
    /// A list of texts.
    public static let stringList = AdminAttributeType(rawValue: "string_list")
    /// A time in RFC 3339.
    public static let dateTime = AdminAttributeType(rawValue: "date_time")

    /// The names that this version knows.
    public static let allCases: [AdminAttributeType] = [.string, .integer, .number, .boolean, .stringList, .dateTime]
}
