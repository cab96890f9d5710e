/// A problem of one member of a request, or of one parameter of its query.
public struct AdminFieldError: Hashable, Sendable {
    /// The position in the body as a JSON pointer, such as `/email`; a slash and the name for a parameter of the query.
    /// Source: RFC 6901.
    public var pointer: String
    /// The stable, machine-readable reason, such as `missing` or `unknown_field`.
    public var code: String

    /// Creates an error from its parts.
    public init(pointer: String, code: String) {
        self.pointer = pointer
        self.code = code
    }

    /// Creates an error of a member of the body.
    ///
    /// - Parameter path: The names of the members that lead to it, from the outermost one on.
    public init(path: [String], code: String) {
        self.init(pointer: path.map(Self.segment).joined(), code: code)
    }

    /// The code of a member or parameter that does not exist.
    public static let unknownField = "unknown_field"
    /// The code of a number outside its range.
    public static let outOfRange = "out_of_range"
    /// The code of a list or an object with too many elements.
    public static let tooMany = "too_many"

    /// Returns one segment of a JSON pointer, escaped. Source: RFC 6901 §3.
    static func segment(_ name: String) -> String {
        var text = "/"
        for scalar in name.unicodeScalars {
            switch scalar {
            case "~": text += "~0"
            case "/": text += "~1"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

extension AdminFieldError: AdminValue {
    /// The name of the value's schema.
    public static let schemaName = "FieldError"
    /// The members of an error.
    public static let members: [AdminMember<AdminFieldError>] = [
        .required("pointer", \.pointer, .text()), .required("code", \.code, .text()),
    ]
    /// Creates an error without content.
    public init() { self.init(pointer: "", code: "") }
}
