/// The names of a user and of the app, in every form that a password must not reduce to.
struct OwnNames {
    private let forms: Set<String>
    private let phoneDigits: [String]

    /// The length of the shortest part of a name that counts by itself, in Unicode scalars.
    private static let shortestPart = 4
    /// The number of trailing digits of a phone number that count as the number.
    private static let shortestPhone = 6

    init(_ names: [String]) {
        var forms: Set<String> = []
        var numbers: [String] = []
        for name in names {
            let scalars = Array(name.lowercased().unicodeScalars)
            let isNumber = scalars.allSatisfy { ("0"..."9").contains($0) || $0 == "+" }
            if isNumber { numbers.append(String(scalars: scalars.filter { $0 != "+" })) }
            let parts = scalars.split { !$0.isLetterOrDigit }.map(Array.init)
            let bare = [scalars, scalars.filter(\.isLetterOrDigit)].map(Self.trimmed)
            for form in [scalars, scalars.filter(\.isLetterOrDigit)] + bare { forms.insert(String(scalars: form)) }
            for part in parts + parts.map(Self.trimmed) where part.count >= Self.shortestPart {
                forms.insert(String(scalars: part))
            }
        }
        forms.remove("")
        self.forms = forms
        phoneDigits = numbers.filter { $0.utf8.count >= Self.shortestPhone }
    }

    /// Returns the text without non-letters at both ends; empty if fewer than ``PasswordCore/shortestWord`` scalars
    /// remain.
    private static func trimmed(_ text: [Unicode.Scalar]) -> [Unicode.Scalar] {
        guard let first = text.firstIndex(where: \.properties.isAlphabetic),
            let last = text.lastIndex(where: \.properties.isAlphabetic), last - first + 1 >= PasswordCore.shortestWord
        else { return [] }
        return Array(text[first...last])
    }

    /// Returns `true` if the password reduces to one of the names, or to the trailing digits of a phone number.
    func hold(_ core: PasswordCore) -> Bool {
        if !forms.isDisjoint(with: core.forms) { return true }
        // A national number has a zero in place of the calling code.
        let digits = core.digits.utf8.drop { $0 == UInt8(ascii: "0") }
        return digits.count >= Self.shortestPhone
            && phoneDigits.contains { $0.utf8.reversed().starts(with: digits.reversed()) }
    }
}
