/// The core of a password, without the usual additions: capitals, digits and symbols around a word, letters written as
/// digits and symbols, separators.
///
/// `P@ssw0rd1!`, `Summer2026!` and `__dragon__99` reduce to `password`, `summer` and `dragon`. The core is compared as
/// a whole: a passphrase that merely contains a common word does not match it.
///
/// Operates on Unicode scalars of a text whose size the caller has bounded.
struct PasswordCore {
    /// The password in lower case.
    let whole: String
    /// Every reading of the core, including ``whole``.
    let forms: Set<String>
    /// The subset of ``forms`` that occur contiguously in the password, with no separator removed.
    let unbrokenForms: Set<String>
    /// The digits of a password without letters; empty otherwise.
    let digits: String

    /// The length of the shortest core that is compared, in Unicode scalars.
    static let shortestWord = 3
    /// The maximum number of characters beside the letters that may be substituted letters.
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
        // Characters beside the letters may be an addition or a substituted letter: `$ummer2026`.
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

/// Digits and symbols that substitute letters.
enum Leetspeak {
    /// The letter that each digit or symbol substitutes.
    static let letters: [Unicode.Scalar: Unicode.Scalar] = [
        "@": "a", "4": "a", "3": "e", "0": "o", "$": "s", "5": "s", "7": "t", "1": "i", "!": "i",
    ]

    /// Returns the text as it is, followed by up to two readings with substituted letters restored (`1` as `i` and as
    /// `l`); readings equal to the text are omitted.
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
    /// The block of four scalars or more that the text consists of repetitions of; nil if there is none.
    fileprivate var repeatedBlock: [Unicode.Scalar]? {
        guard count >= 8 else { return nil }
        let period = (1...count / 2).first { period in
            count.isMultiple(of: period) && zip(self, dropFirst(period)).allSatisfy { $0 == $1 }
        }
        return period.flatMap { $0 >= 4 ? Array(prefix($0)) : nil }
    }
}
