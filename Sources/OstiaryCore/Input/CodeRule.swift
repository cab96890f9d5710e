/// Tells while somebody types what is wrong with a one-time code.
public struct CodeRule: Hashable, Sendable {
    /// How many digits the app's codes have.
    public let length: Int

    public init(length: Int = 6) { self.length = length }

    /// The most bytes that a code may be typed with, spaces and dashes included.
    private static let maximumBytes = 64

    /// Spaces, dashes and direction marks, with which messages write codes, are passed over.
    public func check(_ text: String) -> Input<OneTimeCode> {
        guard text.utf8.count <= Self.maximumBytes else { return .invalid(.tooLong(maximum: length)) }
        let digits = text.unicodeScalars.filter { !$0.isSeparatorOfDigits }
        if digits.isEmpty { return .empty }
        guard digits.allSatisfy({ ("0"..."9").contains($0) }) else { return .invalid(.malformed) }
        if digits.count < length { return .incomplete(.tooShort(minimum: length)) }
        if digits.count > length { return .invalid(.tooLong(maximum: length)) }
        return Input(String(String.UnicodeScalarView(digits)), endings: [], OneTimeCode.init)
    }
}
