/// Tells while somebody types what is wrong with a phone number.
public struct PhoneRule: Hashable, Sendable {
    public init() {}

    public func check(_ text: String) -> Input<PhoneNumber> {
        text.isBlank ? .empty : Input(text, endings: Self.endings, PhoneNumber.init)
    }

    /// As many digits as the shortest number lacks.
    private static let endings = (1...7).map { String(repeating: "1", count: $0) }
}
