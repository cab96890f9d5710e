/// Tells while somebody types what is wrong with a phone number.
public struct PhoneRule: Hashable, Sendable {
    /// The region whose national numbers are taken; nil for international numbers alone.
    public let region: PhoneRegion?

    public init(region: PhoneRegion? = nil) { self.region = region }

    /// Dashes, spaces and direction marks are passed over, as ``PhoneNumber/init(typed:in:)`` does.
    public func check(_ text: String) -> Input<PhoneNumber> {
        guard text.utf8.count <= PhoneNumber.maximumBytes else { return .invalid(.malformed) }
        guard !text.unicodeScalars.allSatisfy(\.isSeparatorOfDigits) else { return .empty }
        return Input(text, endings: Self.endings) { (text) throws(FieldProblem) in
            try PhoneNumber(typed: text, in: region)
        }
    }

    /// As many digits as the shortest number lacks.
    private static let endings = (1...8).map { String(repeating: "1", count: $0) }
}
