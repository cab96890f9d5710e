/// The declaration of one account attribute.
public struct AttributeDefinition: Hashable, Sendable {
    /// The name: lower-case words of ASCII letters and digits, joined by `_`, each beginning with a letter.
    public let name: String
    /// The type of the values.
    public let type: AttributeType
    /// The right to write the attribute.
    public let access: AttributeAccess
    /// `true` if the attribute is part of the user in an app's answers. An attribute that its owner may write always is.
    public let isVisible: Bool
    /// The maximum length of a text in UTF-8 bytes, or the maximum number of texts in a list.
    public let maximum: Int
    /// The texts that are permitted, also in a list; nil for any.
    public let allowed: [String]?

    /// The maximum length of a name, in bytes.
    public static let maximumNameBytes = 64
    /// The maximum length of a text in a list and of a permitted text, in UTF-8 bytes.
    public static let maximumElementBytes = 200
    /// The maximum number of permitted texts.
    public static let maximumAllowed = 100

    /// Creates a definition from its parts.
    ///
    /// - Parameters:
    ///   - isVisible: `true` to show an attribute that only administrators write in an app's answers.
    ///   - maximum: The maximum length of a text, or number of texts in a list; nil for the default of the type.
    public init(
        _ name: String, _ type: AttributeType, access: AttributeAccess = .admin, isVisible: Bool = false,
        maximum: Int? = nil, allowed: [String]? = nil
    ) {
        self.name = name
        self.type = type
        self.access = access
        self.isVisible = isVisible || access == .owner
        self.maximum = maximum ?? Self.usualMaximum(of: type)
        self.allowed = allowed
    }

    /// Returns the default maximum of a type.
    public static func usualMaximum(of type: AttributeType) -> Int {
        switch type {
        case .string: 1000
        case .stringList: 20
        case .integer, .number, .boolean, .dateTime: 0
        }
    }

    /// Returns the range of the maximum of a type; nil for a type without one.
    public static func maximumRange(of type: AttributeType) -> ClosedRange<Int>? {
        switch type {
        case .string: 1...8192
        case .stringList: 1...100
        case .integer, .number, .boolean, .dateTime: nil
        }
    }

    /// The requirement for names, as the rest of a sentence.
    public static let nameNeed =
        "needs a name of lower-case words of letters and digits, joined by _, each beginning with a letter, "
        + "at most \(maximumNameBytes) bytes long"

    /// Returns `true` for a valid name.
    public static func isName(_ text: some StringProtocol) -> Bool {
        guard (1...maximumNameBytes).contains(text.utf8.count) else { return false }
        var isAtStart = true
        for byte in text.utf8 {
            switch byte {
            case 0x61...0x7A: isAtStart = false
            case 0x30...0x39 where !isAtStart: break
            case UInt8(ascii: "_") where !isAtStart: isAtStart = true
            default: return false
            }
        }
        return !isAtStart
    }
}
