public import Foundation

/// The value of an account attribute: a JSON value without objects.
///
/// A `date_time` is a ``string(_:)`` in RFC 3339; ``date`` reads it.
public enum AttributeValue: Hashable, Sendable {
    /// A text.
    case string(String)
    /// A whole number that a JSON number represents exactly: at most 2⁵³ − 1 in magnitude.
    case integer(Int)
    /// A finite number.
    case number(Double)
    /// A Boolean.
    case boolean(Bool)
    /// A list of texts.
    case stringList([String])
}

extension AttributeValue {
    /// The text; nil for a value of another type.
    public var string: String? { if case .string(let text) = self { text } else { nil } }

    /// The whole number; nil for a value of another type.
    public var integer: Int? { if case .integer(let integer) = self { integer } else { nil } }

    /// The number, also of a whole number; nil for a value of another type.
    public var number: Double? {
        switch self {
        case .number(let number): number
        case .integer(let integer): Double(integer)
        case .string, .boolean, .stringList: nil
        }
    }

    /// The Boolean; nil for a value of another type.
    public var boolean: Bool? { if case .boolean(let flag) = self { flag } else { nil } }

    /// The list of texts; nil for a value of another type.
    public var stringList: [String]? { if case .stringList(let texts) = self { texts } else { nil } }

    /// The time of a text in RFC 3339; nil for any other value.
    public var date: Date? { string.flatMap { RFC3339.date($0) } }

    /// Returns the value of a `date_time`, in UTC with a precision of one millisecond.
    public static func date(_ date: Date) -> AttributeValue { .string(RFC3339.text(date)) }

    /// The size that counts towards the limits, in bytes of UTF-8 for texts.
    package var size: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .integer, .number: 8
        case .boolean: 1
        case .stringList(let texts): texts.reduce(0) { $0 + $1.utf8.count + 1 }
        }
    }
}

extension AttributeValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral
{
    /// Creates a text.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates a whole number.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// Creates a number.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// Creates a Boolean.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    /// Creates a list of texts.
    public init(arrayLiteral elements: String...) { self = .stringList(elements) }
}

extension AttributeValue: Codable {
    /// Decodes a JSON value; an integer in any notation is ``integer(_:)``.
    ///
    /// - Throws: `DecodingError` for null, an object, and an array of anything but texts.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self = .string(text)
        } else if let flag = try? container.decode(Bool.self) {
            self = .boolean(flag)
        } else if let integer = try? container.decode(Int.self) {
            self = .integer(integer)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else {
            self = .stringList(try container.decode([String].self))
        }
    }

    /// Encodes the JSON value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .string(let text): try container.encode(text)
        case .integer(let integer): try container.encode(integer)
        case .number(let number): try container.encode(number)
        case .boolean(let flag): try container.encode(flag)
        case .stringList(let texts): try container.encode(texts)
        }
    }
}
