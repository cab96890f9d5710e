/// Sequences of adjacent keys.
enum Keyboard {
    /// The rows of English, German and French keyboards and their diagonal columns, in both directions.
    static let rows: [[Unicode.Scalar]] = [
        "qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiop", "yxcvbnm", "azertyuiop", "qsdfghjklm", "wxcvbn",
        "1234567890",
        "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p", "1q2w3e4r5t6y7u8i9o0p", "qazwsxedcrfvtgbyhnujmikolp",
    ].flatMap { [Array($0.unicodeScalars), $0.unicodeScalars.reversed()] }

    /// Returns the length of the longest prefix of `text` that follows a row of keys, in Unicode scalars.
    static func length(of text: ArraySlice<Unicode.Scalar>) -> Int {
        rows.map { row in
            guard let first = text.first, let start = row.firstIndex(of: first) else { return 0 }
            return zip(row[start...], text).prefix { $0 == $1 }.count
        }.max() ?? 0
    }

    /// The length of the shortest piece of a row that counts, in Unicode scalars.
    private static let shortestPiece = 3
    /// The lengths of text that can count as a walk, in Unicode scalars.
    private static let lengths = 4...20

    /// Returns `true` if a text consists of pieces of rows only: `qwertz`, `asdfqwer`.
    static func isWalk(_ text: String) -> Bool {
        let scalars = Array(text.unicodeScalars)
        guard lengths.contains(scalars.count) else { return false }
        var isReached = [true] + Array(repeating: false, count: scalars.count)
        for start in scalars.indices where isReached[start] {
            let longest = max(length(of: scalars[start...]), runLength(of: scalars[start...]))
            for end in stride(from: shortestPiece, through: longest, by: 1) { isReached[start + end] = true }
        }
        return isReached[scalars.count]
    }

    /// Returns the length of the prefix of `text` in which letters or digits ascend or descend by one, in Unicode
    /// scalars.
    static func runLength(of text: ArraySlice<Unicode.Scalar>) -> Int {
        let values = text.prefix { $0.properties.isAlphabetic || $0.properties.numericType != nil }
            .map { Int($0.value) }
        guard values.count > 1, abs(values[1] - values[0]) == 1 else { return 1 }
        return 1 + zip(values.dropFirst(), values).prefix { $0 - $1 == values[1] - values[0] }.count
    }
}
