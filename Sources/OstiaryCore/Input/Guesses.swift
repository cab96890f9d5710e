import Foundation

/// Splits a password into the parts that a guessing attack finds with the fewest attempts.
///
/// Source: D. L. Wheeler, zxcvbn: Low-Budget Password Strength Estimation, USENIX Security 2016, §4, much simplified.
struct Guesses {
    /// A part of the password and the pattern by which it is guessed; nil for brute force.
    struct Part: Hashable {
        var reason: PasswordStrength.Reason?
        /// The number of guesses it takes, as a decimal logarithm.
        var power: Double
    }

    /// A division of a prefix of the password into parts, with the sum of their powers.
    struct Cut: Hashable {
        var parts: [Part] = []
        var power: Double = 0

        static func + (cut: Cut, part: Part) -> Cut { Cut(parts: cut.parts + [part], power: cut.power + part.power) }
    }

    let ownWords: Set<String>

    /// - Parameter own: The user's names; the words of each name count too.
    init(own: [String]) {
        let folded = own.map { $0.lowercased() }
        let words = folded.flatMap { $0.split { !$0.isLetter && !$0.isNumber }.map(String.init) }
        ownWords = Set((folded + words).filter { $0.unicodeScalars.count >= Self.shortestPattern })
    }

    /// The length of the shortest pattern, in Unicode scalars.
    static let shortestPattern = 3
    /// The power of a character that belongs to no pattern.
    static let anyLetter = 1.0
    /// The minimum power of a pattern that is not the whole password.
    private static let leastAmongOthers = 1.7

    /// Returns the division of `text` that takes the fewest guesses.
    func cheapest(for text: [Unicode.Scalar], findsRepetitions: Bool = true) -> Cut {
        let reader = PatternReader(text, ownWords: ownWords)
        var best: [Cut?] = [Cut()] + Array(repeating: nil, count: text.count)
        func offer(_ part: Part, from start: Int, to end: Int) {
            guard let before = best[start] else { return }
            var part = part
            if part.reason != nil, end - start < text.count { part.power = max(part.power, Self.leastAmongOthers) }
            if before.power + part.power < best[end]?.power ?? .infinity { best[end] = before + part }
        }
        for start in text.indices {
            offer(Part(reason: nil, power: Self.anyLetter), from: start, to: start + 1)
            for end in text.indices.dropFirst(start + Self.shortestPattern - 1) {
                if let part = reader.part(start...end) { offer(part, from: start, to: end + 1) }
            }
            if findsRepetitions, let (period, count) = reader.repetition(from: start) {
                let block = cheapest(for: Array(text[start..<start + period]), findsRepetitions: false)
                let power = block.power + log10(Double(count))
                offer(Part(reason: .repetition, power: power), from: start, to: start + period * count)
            }
        }
        return best[text.count] ?? Cut()
    }
}
