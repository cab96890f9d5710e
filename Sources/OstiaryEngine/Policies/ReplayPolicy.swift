public import Foundation

/// Decides whether an earlier refresh token is accepted once more, or indicates theft.
///
/// It is accepted until `window` seconds after its successor was **first used**, not after the rotation: only then is
/// it certain that the client has the successor. `Documentation/models/rotation.py` checks exhaustively that an honest
/// client is never signed out by this rule, and that a window counted from the rotation does sign it out.
///
/// Deviation from RFC 9700 §4.14.2 (which revokes immediately): an app that is killed before it saved a response would
/// be signed out. The strict profile follows the RFC.
public struct ReplayPolicy: Hashable, Sendable {
    /// The grace period after the first use of the successor, in seconds.
    public var window: Int
    /// `true` to never accept an earlier token.
    public var isStrict: Bool

    /// Creates a policy from its parts.
    public init(window: Int = 30, isStrict: Bool = false) {
        self.window = window
        self.isStrict = isStrict
    }

    /// The decision: return the current tokens again, or treat the token as stolen.
    public enum Verdict: Hashable, Sendable { case answerAgain, theft }

    /// Returns the decision on an earlier refresh token.
    ///
    /// - Parameter successorFirstUsedAt: The first use of the token's successor; `nil` if it was never seen in use.
    public func verdict(successorFirstUsedAt: Date?, now: Date) -> Verdict {
        if isStrict { return .theft }
        guard let firstUse = successorFirstUsedAt else { return .answerAgain }
        return now.timeIntervalSince(firstUse) < Double(window) ? .answerAgain : .theft
    }
}
