/// The type of an account attribute, with its name in a configuration.
public enum AttributeType: String, CaseIterable, Hashable, Sendable {
    /// A text.
    case string
    /// A whole number that a JSON number represents exactly: at most 2⁵³ − 1 in magnitude.
    case integer
    /// A finite number.
    case number
    /// A Boolean.
    case boolean
    /// A list of texts.
    case stringList = "string_list"
    /// A time in RFC 3339, kept in UTC with a precision of one millisecond.
    case dateTime = "date_time"

    /// The whole numbers that every JSON reader represents exactly. Source: RFC 8259 §6.
    public static let exactIntegers = -9_007_199_254_740_991...9_007_199_254_740_991
}
