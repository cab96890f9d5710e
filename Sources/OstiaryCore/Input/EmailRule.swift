import Foundation

/// Tells while somebody types what is wrong with an email address.
public struct EmailRule: Hashable, Sendable {
    public init() {}

    public func check(_ text: String) -> Input<EmailAddress> {
        if text.isBlank { return .empty }
        // A space at the end may be the keyboard's, and is not in the way of typing on.
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        return Input(trimmed, endings: Self.endings, EmailAddress.init)
    }

    /// From inside the local part, after a dot in it, from inside the domain, and after a dot or dash in it.
    private static let endings = ["@a.aa", "a@a.aa", ".aa", "a.aa", "a"]
}
