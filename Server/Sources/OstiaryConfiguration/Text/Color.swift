/// A colour in the format of pages.
enum Color {
    /// Reads `#rrggbb`, in small letters. It is inserted into style sheets, so every other text is refused.
    static func check(_ setting: Setting) throws(ConfigurationProblem) -> String {
        let digits = setting.text.utf8.dropFirst()
        guard setting.text.utf8.first == UInt8(ascii: "#"), digits.count == 6,
            digits.allSatisfy({ $0.isDigit || (0x61...0x66).contains($0 | 0x20) })
        else { throw setting.problem("needs a colour in quotes: \"#1f5fd0\"") }
        return setting.text.lowercased()
    }
}
