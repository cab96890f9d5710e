import Foundation

/// Finds the patterns in one password that guessing attacks exploit.
struct PatternReader {
    private let text: [Unicode.Scalar]
    private let ownWords: Set<String>
    /// The text in lower case, and up to two readings with substituted letters restored.
    private let readings: [Reading]
    private let longestWord: Int
    private let upperCount: [Int]
    private let runLengths: [Int]
    private let keyboardLengths: [Int]

    init(_ text: [Unicode.Scalar], ownWords: Set<String>) {
        let lower = text.map { $0.properties.lowercaseMapping.unicodeScalars.first ?? $0 }
        self.text = lower
        self.ownWords = ownWords
        readings = Leetspeak.readings(of: lower).map(Reading.init)
        longestWord = max(CommonPasswords.longest, ownWords.map(\.unicodeScalars.count).max() ?? 0)
        runLengths = lower.indices.map { Keyboard.runLength(of: lower[$0...]) }
        keyboardLengths = lower.indices.map { Keyboard.length(of: lower[$0...]) }
        upperCount = text.reduce(into: [0]) { $0.append(($0.last ?? 0) + ($1.properties.isUppercase ? 1 : 0)) }
    }

    /// Returns the pattern by which the part is guessed with the fewest attempts; nil if only brute force finds it.
    func part(_ range: ClosedRange<Int>) -> Guesses.Part? {
        [word(range), run(range), keyboard(range), year(range)].compactMap(\.self).min { $0.power < $1.power }
    }

    // MARK: Words

    private func word(_ range: ClosedRange<Int>) -> Guesses.Part? {
        guard range.count <= longestWord else { return nil }
        let capitals = upperCount[range.upperBound + 1] - upperCount[range.lowerBound]
        let capitalPower = capitals == 0 ? 0 : log10(2) * Double(min(capitals, max(1, range.count - capitals)))
        for (index, reading) in readings.enumerated() {
            let part = reading[range]
            let disguise = capitalPower + (index == 0 ? 0 : log10(4))
            if ownWords.contains(String(part)) { return Guesses.Part(reason: .ownName, power: 1 + disguise) }
            if let rank = CommonPasswords.rank(of: part) {
                return Guesses.Part(reason: .commonWord, power: log10(Double(rank + 1)) + disguise)
            }
        }
        return nil
    }

    /// A text with the indices of its code points, for repeated slicing in constant time.
    private struct Reading {
        private let text: String
        private let indices: [String.Index]

        init(_ scalars: [Unicode.Scalar]) {
            text = String(String.UnicodeScalarView(scalars))
            indices = text.unicodeScalars.indices + [text.endIndex]
        }

        subscript(range: ClosedRange<Int>) -> Substring {
            text[indices[range.lowerBound]..<indices[range.upperBound + 1]]
        }
    }

    // MARK: Patterns

    private func run(_ range: ClosedRange<Int>) -> Guesses.Part? {
        guard range.count <= runLengths[range.lowerBound] else { return nil }
        return Guesses.Part(reason: .run, power: 1 + log10(Double(range.count)))
    }

    private func keyboard(_ range: ClosedRange<Int>) -> Guesses.Part? {
        guard range.count >= 4, range.count <= keyboardLengths[range.lowerBound] else { return nil }
        return Guesses.Part(reason: .keyboard, power: 1.5 + log10(Double(range.count)))
    }

    private func year(_ range: ClosedRange<Int>) -> Guesses.Part? {
        guard range.count == 4, text[range].allSatisfy({ ("0"..."9").contains($0) }),
            let year = Int(String(String.UnicodeScalarView(text[range]))), (1900...2049).contains(year)
        else { return nil }
        return Guesses.Part(reason: .year, power: 2)
    }

    /// Returns the shortest block at `start` that repeats at once, and its number of occurrences; nil if together they
    /// have fewer than three scalars.
    func repetition(from start: Int) -> (period: Int, count: Int)? {
        let rest = text[start...]
        for period in stride(from: 1, through: rest.count / 2, by: 1) {
            var count = 1
            while (count + 1) * period <= rest.count,
                rest.dropFirst(count * period).prefix(period).elementsEqual(rest.prefix(period))
            {
                count += 1
            }
            if count > 1, period * count >= Guesses.shortestPattern { return (period, count) }
        }
        return nil
    }
}
