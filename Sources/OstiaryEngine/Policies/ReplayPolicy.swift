public import Foundation

/// Whether an earlier refresh token is answered once more, or gives a thief away.
///
/// It is answered until `window` seconds after its successor was **first used**, not after the rotation: only then is it
/// certain that its owner has the successor. `Documentation/models/rotation.py` checks exhaustively that an honest client
/// is never signed out by this rule, and that a window counted from the rotation does sign it out.
///
/// Deviation from RFC 9700 §4.14.2 (which revokes at once): an app killed before it saved an answer would be signed out.
/// The strict profile follows the RFC.
public struct ReplayPolicy: Hashable, Sendable {
    /// Seconds.
    public var window: Int
    /// Never answer an earlier token.
    public var isStrict: Bool

    public init(window: Int = 30, isStrict: Bool = false) {
        self.window = window
        self.isStrict = isStrict
    }

    public enum Verdict: Hashable, Sendable { case answerAgain, theft }

    /// - Parameter successorFirstUsedAt: Nil if the successor of the token presented was never seen in use.
    public func verdict(successorFirstUsedAt: Date?, now: Date) -> Verdict {
        if isStrict { return .theft }
        guard let firstUse = successorFirstUsedAt else { return .answerAgain }
        return now.timeIntervalSince(firstUse) < Double(window) ? .answerAgain : .theft
    }
}
