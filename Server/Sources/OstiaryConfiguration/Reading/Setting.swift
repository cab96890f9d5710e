import OstiaryCore

/// One value as text, with its key and its place.
struct Setting {
    let key: String
    let text: String
    let place: ConfigurationProblem.Place?
    /// `true` if it is quoted, and so neither a number nor a Boolean.
    let isQuoted: Bool

    func problem(_ need: String) -> ConfigurationProblem {
        ConfigurationProblem(place: place, key: key, need: need)
    }

    /// Returns the text unchanged, which must be non-empty and without control characters.
    func string() throws(ConfigurationProblem) -> String {
        if !isQuoted, ["true", "false", "null", "~"].contains(text) { throw problem("needs a text; put it in quotes") }
        guard !text.isEmpty else { throw problem("needs a text, but is empty") }
        guard text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
            throw problem("needs a text without control characters")
        }
        return text
    }

    func integer(in range: ClosedRange<Int>) throws(ConfigurationProblem) -> Int {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        let isDecimal = !digits.isEmpty && digits.utf8.allSatisfy(\.isDigit) && (digits == "0" || digits.first != "0")
        guard isDecimal, !isQuoted, let number = Int(text), range.contains(number) else {
            throw problem("needs a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func boolean() throws(ConfigurationProblem) -> Bool {
        switch text {
        case "true" where !isQuoted: true
        case "false" where !isQuoted: false
        default: throw problem("needs true or false")
        }
    }

    func choice<Choice: CaseIterable & RawRepresentable<String>>(
        of type: Choice.Type = Choice.self
    ) throws(ConfigurationProblem) -> Choice {
        guard let choice = Choice(rawValue: text) else {
            throw problem("needs one of \(Choice.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return choice
    }

    /// Returns a number of seconds, at least 1 and less than ten years.
    func seconds() throws(ConfigurationProblem) -> Int { try integer(in: 1...(10 * 365 * 86400 - 1)) }

    func secret() throws(ConfigurationProblem) -> Secret<String> { Secret(try string()) }
}
