import Foundation

/// Checks an email address while the user types it.
public struct EmailRule: Hashable, Sendable {
    /// Creates the rule.
    public init() {}

    /// Returns the verdict on the typed text; white space at its ends is ignored.
    public func check(_ text: String) -> Input<EmailAddress> {
        if text.isBlank { return .empty }
        // The keyboard may have inserted a trailing space, which does not prevent further typing.
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        return Input(trimmed, endings: Self.endings, EmailAddress.init)
    }

    /// Endings that complete a valid prefix: inside the local part, after a dot in it, inside the domain, and after a
    /// dot or dash in it.
    private static let endings = ["@a.aa", "a@a.aa", ".aa", "a.aa", "a"]
}
