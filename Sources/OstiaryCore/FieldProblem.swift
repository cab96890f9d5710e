/// The reason for which one field of a request was rejected.
public enum FieldProblem: Error, Hashable, Sendable {
    /// The field is required and absent or null.
    case missing
    /// The field has another JSON type.
    case mistyped
    /// The text does not match the field's syntax.
    case malformed
    /// The text has fewer Unicode code points than `minimum`.
    case tooShort(minimum: Int)
    /// The text has more UTF-8 bytes than `maximum`.
    case tooLong(maximum: Int)
    /// The password is on a list of commonly used passwords.
    case tooCommon
    /// The password is known from a breach of another service.
    case compromised
    /// The password is derived from the user's own identifier or name.
    case containsIdentifier
    /// The value is well formed but not supported by the service, such as a phone number of another country.
    case notSupported
    /// The list has more elements than `maximum`.
    case tooMany(maximum: Int)
    /// Only an administrator may set the value.
    case readOnly
    /// The app declares no account attribute of that name.
    case unknown

    /// The stable, machine-readable name, for example `too_short`.
    public var code: String {
        switch self {
        case .missing: "missing"
        case .mistyped: "mistyped"
        case .malformed: "malformed"
        case .tooShort: "too_short"
        case .tooLong: "too_long"
        case .tooCommon: "too_common"
        case .compromised: "compromised"
        case .containsIdentifier: "contains_identifier"
        case .notSupported: "not_supported"
        case .tooMany: "too_many"
        case .readOnly: "read_only"
        case .unknown: "unknown"
        }
    }
}
