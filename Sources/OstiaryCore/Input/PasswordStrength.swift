import Foundation

/// An estimate of a password's resistance to guessing, and the patterns that make it weaker than its length suggests.
///
/// It is advice only: ``PasswordRule`` decides which passwords are rejected.
public struct PasswordStrength: Hashable, Sendable {
    /// The strength, from 0 (guessed immediately) to 4 (withstands even an offline attack on the server's stolen
    /// store).
    public let score: Int
    /// The weaknesses to remedy, the most important first; empty at the highest score.
    public let reasons: [Reason]

    /// A pattern that guessing attacks try before brute force.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// The password equals or contains a commonly used password.
        case commonWord = "common_word"
        /// The password contains the user's own name or address.
        case ownName = "own_name"
        /// The password contains ascending or descending letters or digits.
        case run
        /// The password contains a sequence of adjacent keys.
        case keyboard
        /// The password contains a repeated block.
        case repetition
        /// The password contains a year from 1900 to 2049.
        case year
        /// The password is short: its length is its only weakness, or one of several.
        case short
    }

    /// The highest possible ``score``.
    public static let highestScore = 4

    /// Estimates the strength of a password.
    ///
    /// - Parameters:
    ///   - password: The password; only its first 72 code points are evaluated.
    ///   - own: The names of the user.
    public init(of password: Secret<String>, own: [String] = []) {
        let text = Array(password.reveal().unicodeScalars.prefix(PasswordRule.maximumBytes))
        let guess = Guesses(own: own).cheapest(for: text)
        // Numbers of guesses, as decimal logarithms: an online attack with rate limits, an online attack without them,
        // an offline attack on slow hashes, and an offline attack of unlimited time.
        let limits = [3.0, 6, 8, 10]
        score = limits.count { $0 <= guess.power }
        if score == Self.highestScore {
            reasons = []
        } else {
            let found = guess.parts.compactMap(\.reason)
            let isPlain = found.isEmpty || text.count < Self.longEnough
            let known = Reason.allCases.filter { found.contains($0) }
            reasons = text.isEmpty ? [.short] : known + (isPlain ? [.short] : [])
        }
    }

    /// The number of code points that a password without patterns needs for the highest score; a shorter one is always
    /// reported as short.
    private static let longEnough = 10
}
