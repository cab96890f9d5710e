/// A JSON value whose objects preserve the order of their members. Texts and names are compared by bytes. Source:
/// RFC 8259.
public enum JSON: Sendable {
    /// The literal `null`.
    case null
    /// The literal `true` or `false`.
    case boolean(Bool)
    /// An integer of 64 bits.
    case integer(Int)
    /// A number with a fraction or an exponent, minus zero, or an integer that does not fit into 64 bits.
    case number(Double)
    /// A string.
    case string(String)
    /// An array.
    case array([JSON])
    /// An object; a parsed one has no duplicate names.
    case object([Member])

    /// A member of an object.
    public struct Member: Sendable {
        /// The name, without escapes.
        public var name: String
        /// The value of the member.
        public var value: JSON

        /// Creates a member from its parts.
        public init(_ name: String, _ value: JSON) {
            self.name = name
            self.value = value
        }
    }

    /// The value of a member; nil if this is not an object or has no member of that name.
    public subscript(name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }
}

extension JSON: Hashable {
    /// Returns `true` if both values are equal, with texts and names compared by bytes and members in the same order.
    public static func == (one: JSON, other: JSON) -> Bool {
        switch (one, other) {
        case (.null, .null): true
        case (.boolean(let one), .boolean(let other)): one == other
        case (.integer(let one), .integer(let other)): one == other
        case (.number(let one), .number(let other)): one == other
        case (.string(let one), .string(let other)): one.utf8.elementsEqual(other.utf8)
        case (.array(let one), .array(let other)): one == other
        case (.object(let one), .object(let other)): one == other
        default: false
        }
    }

    /// Hashes the value, consistently with its comparison by bytes.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .boolean(let flag): hasher.combine(flag)
        case .integer(let integer): hasher.combine(integer)
        case .number(let number): hasher.combine(number)
        case .string(let text): hasher.combine(Array(text.utf8))
        case .array(let elements): hasher.combine(elements)
        case .object(let members): hasher.combine(members)
        }
    }
}

extension JSON.Member: Hashable {
    /// Returns `true` if both names are equal by bytes, and both values are equal.
    public static func == (one: Self, other: Self) -> Bool {
        one.name.utf8.elementsEqual(other.name.utf8) && one.value == other.value
    }

    /// Hashes the name's bytes and the value.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(Array(name.utf8))
        hasher.combine(value)
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates a Boolean.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    /// Creates an integer.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// Creates an array.
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }
    /// Creates an object with members in the order of the literal.
    public init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(elements.map { Member($0.0, $0.1) })
    }
}
