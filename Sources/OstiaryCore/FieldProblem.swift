/// What is wrong with one field of a request.
public enum FieldProblem: Error, Hashable, Sendable {
    /// The field is required and absent (or null).
    case missing
    /// The field is of another JSON type.
    case mistyped
    /// The text is not of the field's form.
    case malformed
    /// Fewer Unicode code points than `minimum`.
    case tooShort(minimum: Int)
    /// More UTF-8 bytes than `maximum`.
    case tooLong(maximum: Int)
    /// A password that many people use.
    case tooCommon
    /// A password made of the person's own identifier.
    case containsIdentifier
    /// Well formed, but the service does not serve it, such as a phone number of another country.
    case notSupported

    /// The stable, machine-readable name.
    public var code: String {
        switch self {
        case .missing: "missing"
        case .mistyped: "mistyped"
        case .malformed: "malformed"
        case .tooShort: "too_short"
        case .tooLong: "too_long"
        case .tooCommon: "too_common"
        case .containsIdentifier: "contains_identifier"
        case .notSupported: "not_supported"
        }
    }
}
