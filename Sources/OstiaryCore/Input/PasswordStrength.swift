import Foundation

/// How hard a password is to guess, by an estimate, and what makes it easier than its length says.
///
/// Advice, never a rule: what is refused, ``PasswordRule`` says.
public struct PasswordStrength: Hashable, Sendable {
    /// From 0, guessed at once, to 4, which outlasts even the theft of the server's store.
    public let score: Int
    /// What to do better, the weightiest first; empty at the highest score.
    public let reasons: [Reason]

    /// What guessers try before they try everything.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// It is, or holds, something that many people use as a password.
        case commonWord = "common_word"
        /// It holds the person's own name or address.
        case ownName = "own_name"
        /// Letters or digits that count up or down.
        case run
        /// Keys that lie next to each other.
        case keyboard
        /// The same over and over.
        case repetition
        /// A year of somebody's life.
        case year
        /// It is merely short.
        case short
    }

    public static let highestScore = 4

    /// - Parameters:
    ///   - password: Its first 72 code points count.
    ///   - own: What the person is called.
    public init(of password: Secret<String>, own: [String] = []) {
        let text = Array(password.reveal().unicodeScalars.prefix(PasswordRule.maximumBytes))
        let guess = Guesses(own: own).cheapest(for: text)
        // So many guesses, as powers of ten: of a sign-in page, of one that does not slow guessers down, of a stolen store
        // with slow hashes, and of one with all the time in the world.
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

    /// Code points that a password of no special merit needs to be strong.
    private static let longEnough = 10
}
