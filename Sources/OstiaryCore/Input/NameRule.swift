/// Tells while somebody types what is wrong with what they want to be called.
public struct NameRule: Hashable, Sendable {
    public init() {}

    public func check(_ text: String) -> Input<PersonName> {
        text.isBlank ? .empty : Input(text, endings: [], PersonName.init)
    }
}
