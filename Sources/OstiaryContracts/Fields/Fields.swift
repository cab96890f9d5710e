public import OstiaryCore

/// What a message carries, by canonical field name: what lies between a typed operation and a contract's spelling.
public struct Fields: Hashable, Sendable {
    private var values: [Field: Value] = [:]

    public enum Value: Hashable, Sendable {
        case text(String)
        case integer(Int)
        case flag(Bool)
        case texts([String])
        case object(Fields)
        case list([Fields])
        case map([String: String])
    }

    public init() {}

    public subscript(field: Field) -> Value? {
        get { values[field] }
        set { values[field] = newValue }
    }
}

extension Fields: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    // Among the values are passwords and tokens.
    public var description: String { "<fields>" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}

extension Fields {
    mutating func set(_ field: Field, _ text: String?) { self[field] = text.map { .text($0) } }
    mutating func set(_ field: Field, _ secret: Secret<String>?) { set(field, secret?.reveal()) }

    /// The text of a field; nil if it is absent. NUL is refused, which PostgreSQL cannot keep.
    func text(_ field: Field) throws(AuthError) -> String? {
        try text(field, atMost: field.maximumBytes ?? Field.usualMaximumBytes)
    }

    private func text(_ field: Field, atMost maximum: Int) throws(AuthError) -> String? {
        guard let text = try anyText(field) else { return nil }
        guard text.utf8.count <= maximum else { throw .invalid(field, .tooLong(maximum: maximum)) }
        guard !text.utf8.contains(0) else { throw .invalid(field, .malformed) }
        return text
    }

    /// A secret of any length and content: it is the engine's to refuse, in time that does not tell.
    func secret(_ field: Field) throws(AuthError) -> Secret<String>? { try anyText(field).map { Secret($0) } }

    private func anyText(_ field: Field) throws(AuthError) -> String? {
        guard let value = self[field] else { return nil }
        guard case .text(let text) = value else { throw .invalid(field, .mistyped) }
        return text
    }

    func flag(_ field: Field) throws(AuthError) -> Bool? {
        guard let value = self[field] else { return nil }
        guard case .flag(let flag) = value else { throw .invalid(field, .mistyped) }
        return flag
    }

    func integer(_ field: Field) throws(AuthError) -> Int? {
        guard let value = self[field] else { return nil }
        guard case .integer(let integer) = value else { throw .invalid(field, .mistyped) }
        return integer
    }

    func object(_ field: Field) throws(AuthError) -> Fields? {
        guard let value = self[field] else { return nil }
        guard case .object(let fields) = value else { throw .invalid(field, .mistyped) }
        return fields
    }

    /// The field as a value of its own type, for example an email address; nil if it is absent.
    func parsed<Parsed>(
        _ field: Field, as make: (String) throws(FieldProblem) -> Parsed
    ) throws(AuthError) -> Parsed? {
        // White space around it does not count towards the field's maximum, which its type checks.
        guard let text = try text(field, atMost: Field.usualMaximumBytes) else { return nil }
        do { return try make(text) } catch { throw .invalid(field, error) }
    }
}

/// The value, or a refusal that names the field it was looked for in.
func required<Value>(_ value: Value?, _ field: Field) throws(AuthError) -> Value {
    guard let value else { throw .invalid(field, .missing) }
    return value
}
