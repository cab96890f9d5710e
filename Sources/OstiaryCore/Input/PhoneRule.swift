/// Checks a phone number while the user types it.
public struct PhoneRule: Hashable, Sendable {
    /// The region whose national numbers are accepted; nil accepts international numbers only.
    public let region: PhoneRegion?

    /// Creates a rule for a region's national numbers and for international ones.
    public init(region: PhoneRegion? = nil) { self.region = region }

    /// Returns the verdict on the typed text; ignores dashes, spaces and direction marks, as
    /// ``PhoneNumber/init(typed:in:)`` does.
    public func check(_ text: String) -> Input<PhoneNumber> {
        guard text.utf8.count <= PhoneNumber.maximumBytes else { return .invalid(.malformed) }
        guard !text.unicodeScalars.allSatisfy(\.isSeparatorOfDigits) else { return .empty }
        return Input(text, endings: Self.endings) { (text) throws(FieldProblem) in
            try PhoneNumber(typed: text, in: region)
        }
    }

    /// The digits by which a prefix may fall short of the shortest number.
    private static let endings = (1...8).map { String(repeating: "1", count: $0) }
}
