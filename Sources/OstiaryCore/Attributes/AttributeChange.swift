/// A checked change of an account's attributes. Attributes that it does not name keep their values.
public struct AttributeChange: Hashable, Sendable {
    /// The new values by name.
    public var values: [String: AttributeValue]
    /// The names of the attributes that are removed.
    public var removed: Set<String>

    /// Creates a change from its parts; without any, it changes nothing.
    public init(values: [String: AttributeValue] = [:], removed: Set<String> = []) {
        self.values = values
        self.removed = removed
    }

    /// `true` if it changes nothing.
    public var isEmpty: Bool { values.isEmpty && removed.isEmpty }
}
