/// Checks the name of a second factor while the user types it.
public struct FactorNameRule: Hashable, Sendable {
    /// Creates the rule.
    public init() {}

    /// Returns the verdict on the typed text; it is never incomplete.
    public func check(_ text: String) -> Input<FactorName> {
        text.isBlank ? .empty : Input(text, endings: [], FactorName.init)
    }
}
