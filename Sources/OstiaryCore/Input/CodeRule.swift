/// Checks a one-time code while the user types it.
public struct CodeRule: Hashable, Sendable {
    /// The number of digits of the app's codes.
    public let length: Int

    /// Creates a rule for codes of `length` digits.
    public init(length: Int = 6) { self.length = length }

    /// The maximum length of a code as typed, in UTF-8 bytes, including spaces and dashes.
    private static let maximumBytes = 64

    /// Returns the verdict on the typed text; ignores the spaces, dashes and direction marks with which messages format
    /// codes.
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
