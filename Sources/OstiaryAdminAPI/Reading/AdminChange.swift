/// A change of one member by a merge patch. Source: RFC 7396.
public enum AdminChange<Value: Hashable & Sendable>: Hashable, Sendable {
    /// The member is absent from the patch, and keeps its value.
    case keep
    /// The member is null in the patch, and loses its value.
    case remove
    /// The member gets a value.
    case set(Value)

    /// Creates a change that sets a value, or removes it for nil.
    public init(_ value: Value?) { self = value.map { .set($0) } ?? .remove }

    /// Returns the value after the change of a present one.
    public func applied(to present: Value?) -> Value? {
        switch self {
        case .keep: present
        case .remove: nil
        case .set(let value): value
        }
    }
}
