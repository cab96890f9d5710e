/// A value that must never be printed, logged or dumped.
public struct Secret<Value: Sendable>: Sendable {
    private let value: Value

    public init(_ value: Value) { self.value = value }

    /// The value itself. Searching for `.reveal()` finds every place where a secret leaves its wrapper.
    public func reveal() -> Value { value }
}

extension Secret: Equatable where Value: Equatable {}
extension Secret: Hashable where Value: Hashable {}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "<secret>" }
    public var debugDescription: String { "<secret>" }
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}
