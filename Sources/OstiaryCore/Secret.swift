/// A value that must not be printed, logged or dumped: every textual representation is redacted.
public struct Secret<Value: Sendable>: Sendable {
    private let value: Value

    /// Wraps a value.
    public init(_ value: Value) { self.value = value }

    /// Returns the value in plain form. A search for `.reveal()` finds every place where a secret leaves its wrapper.
    public func reveal() -> Value { value }
}

extension Secret: Equatable where Value: Equatable {}
extension Secret: Hashable where Value: Hashable {}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The text `<secret>`.
    public var description: String { "<secret>" }
    /// The text `<secret>`.
    public var debugDescription: String { "<secret>" }
    /// An empty mirror, so that `dump` does not print the value.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}
