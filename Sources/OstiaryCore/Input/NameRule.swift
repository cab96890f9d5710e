/// Checks a display name while the user types it.
public struct NameRule: Hashable, Sendable {
    /// Creates the rule.
    public init() {}

    /// Returns the verdict on the typed text; it is never incomplete.
    public func check(_ text: String) -> Input<PersonName> {
        text.isBlank ? .empty : Input(text, endings: [], PersonName.init)
    }
}
