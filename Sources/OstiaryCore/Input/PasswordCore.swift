/// What remains of a password once the usual additions are taken away: capitals, digits and symbols around a word, letters
/// written as digits and symbols, separators.
///
/// `P@ssw0rd1!`, `Summer2026!` and `__dragon__99` come down to `password`, `summer` and `dragon`. What remains is compared as
/// a whole: a passphrase that merely contains a common word is none of these.
///
/// Works on Unicode scalars of a text whose size the caller has bounded.
struct PasswordCore {
    /// The password in lower case.
    let whole: String
    /// Every reading of what remains, ``whole`` included.
    let forms: Set<String>
    /// Those of ``forms`` that stand in the password side by side, with no separator taken away.
    let unbrokenForms: Set<String>
    /// The digits of a password without letters; empty otherwise.
    let digits: String

    /// Scalars that the shortest remainder has that is compared.
    static let shortestWord = 3
    /// How many signs beside the letters may be letters in disguise.
    private static let longestDisguise = 6

    init(_ text: String) {
        whole = text.lowercased()
        let scalars = Array(whole.unicodeScalars)
        var forms: Set<String> = [whole]
        var unbrokenForms: Set<String> = [whole]
        func add(_ form: [Unicode.Scalar]) {
            unbrokenForms.insert(String(scalars: form))
            for form in [form, form.filter(\.isLetterOrDigit)] where form.count >= Self.shortestWord {
                forms.insert(String(scalars: form))
                if let block = form.repeatedBlock { forms.insert(String(scalars: block)) }
            }
        }
        guard let first = scalars.firstIndex(where: \.properties.isAlphabetic),
            let last = scalars.lastIndex(where: \.properties.isAlphabetic)
        else {
            let numerals = scalars.filter(\.isLetterOrDigit)
            digits = String(scalars: numerals)
            add(numerals)
            (self.forms, self.unbrokenForms) = (forms, unbrokenForms)
            return
        }
        digits = ""
        // What stands beside the letters may be an addition, or a letter in disguise: `$ummer2026`.
        let starts = [0] + Array(max(0, first - Self.longestDisguise)...first)
        let ends = [scalars.count] + Array(last + 1...min(scalars.count, last + 1 + Self.longestDisguise))
        for start in Set(starts) {
            for end in Set(ends) {
                for reading in Leetspeak.readings(of: Array(scalars[start..<end])) { add(reading) }
            }
        }
        (self.forms, self.unbrokenForms) = (forms, unbrokenForms)
    }
}

/// Digits and symbols that stand for letters.
enum Leetspeak {
    static let letters: [Unicode.Scalar: Unicode.Scalar] = [
        "@": "a", "4": "a", "3": "e", "0": "o", "$": "s", "5": "s", "7": "t", "1": "i", "!": "i",
    ]

    /// The text as it stands, and twice with letters for the signs that stand for them, where that makes a difference.
    static func readings(of text: [Unicode.Scalar]) -> [[Unicode.Scalar]] {
        let readings = [text.map { letters[$0] ?? $0 }, text.map { $0 == "1" ? "l" : letters[$0] ?? $0 }]
        return [text] + readings.filter { $0 != text }
    }
}

extension Unicode.Scalar {
    var isLetterOrDigit: Bool { properties.isAlphabetic || properties.numericType != nil }
}

extension String {
    init(scalars: some Sequence<Unicode.Scalar>) {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        self.init(view)
    }
}

extension [Unicode.Scalar] {
    /// The block of four scalars or more that the text repeats; nil if there is none.
    fileprivate var repeatedBlock: [Unicode.Scalar]? {
        guard count >= 8 else { return nil }
        let period = (1...count / 2).first { period in
            count.isMultiple(of: period) && zip(self, dropFirst(period)).allSatisfy { $0 == $1 }
        }
        return period.flatMap { $0 >= 4 ? Array(prefix($0)) : nil }
    }
}
