/// Keys that lie beside each other.
enum Keyboard {
    /// Rows of keyboards, English, German and French, and their slanting columns, in both directions.
    static let rows: [[Unicode.Scalar]] = [
        "qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiop", "yxcvbnm", "azertyuiop", "qsdfghjklm", "wxcvbn",
        "1234567890",
        "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p", "1q2w3e4r5t6y7u8i9o0p", "qazwsxedcrfvtgbyhnujmikolp",
    ].flatMap { [Array($0.unicodeScalars), $0.unicodeScalars.reversed()] }

    /// For how far a row of keys is followed from there.
    static func length(of text: ArraySlice<Unicode.Scalar>) -> Int {
        rows.map { row in
            guard let first = text.first, let start = row.firstIndex(of: first) else { return 0 }
            return zip(row[start...], text).prefix { $0 == $1 }.count
        }.max() ?? 0
    }

    /// Scalars of the shortest piece of a row that counts as one.
    private static let shortestPiece = 3
    /// Scalars of what counts as a walk.
    private static let lengths = 4...20

    /// Whether a text is made of pieces of rows and of nothing else: `qwertz`, `asdfqwer`.
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

    /// For how far letters or digits count up or down from there, by ones.
    static func runLength(of text: ArraySlice<Unicode.Scalar>) -> Int {
        let values = text.prefix { $0.properties.isAlphabetic || $0.properties.numericType != nil }
            .map { Int($0.value) }
        guard values.count > 1, abs(values[1] - values[0]) == 1 else { return 1 }
        return 1 + zip(values.dropFirst(), values).prefix { $0 - $1 == values[1] - values[0] }.count
    }
}
