/// The change of a value that may be absent. Source: RFC 7396.
public enum PatchValue<Value: Hashable & Sendable>: Hashable, Sendable {
    /// The value stays as it is.
    case unchanged
    /// The value is removed.
    case removed
    /// The value is replaced.
    case replaced(Value)

    /// `true` unless the value stays as it is.
    public var isChange: Bool { self != .unchanged }

    /// The new value; nil where the value is removed or stays as it is.
    public var value: Value? { if case .replaced(let value) = self { value } else { nil } }

    /// Returns the value after the change.
    public func applied(to value: Value?) -> Value? {
        switch self {
        case .unchanged: value
        case .removed: nil
        case .replaced(let new): new
        }
    }

    /// Returns the change with its value converted.
    public func map<Other, Failure: Error>(
        _ convert: (Value) throws(Failure) -> Other
    ) throws(Failure) -> PatchValue<Other> {
        switch self {
        case .unchanged: .unchanged
        case .removed: .removed
        case .replaced(let value): .replaced(try convert(value))
        }
    }
}
