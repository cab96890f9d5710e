/// Untrusted text, escaped for a terminal.
///
/// Clients choose names and user agents. Control characters would move the cursor or colour the screen, format
/// characters would reorder or hide the adjacent text.
enum TerminalText {
    /// Returns the text with every such character written as `\u{1B}`.
    static func escaped(_ text: String) -> String {
        replaceUnsafe(text) { "\\u{\(String($0.value, radix: 16, uppercase: true))}" }
    }

    /// Returns an equivalent JSON text without such characters, which can occur only in strings.
    static func escapedJSON(_ json: String) -> String {
        replaceUnsafe(json) { scalar in
            String(scalar).utf16.map { unit in
                let digits = String(unit, radix: 16)
                return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }.joined()
        }
    }

    private static func replaceUnsafe(_ text: String, _ replacement: (Unicode.Scalar) -> String) -> String {
        guard !text.unicodeScalars.allSatisfy(isSafe) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if isSafe(scalar) { result.unicodeScalars.append(scalar) } else { result += replacement(scalar) }
        }
        return result
    }

    private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
            // The joiners that names in Persian and in Indic scripts need.
            scalar == "\u{200C}" || scalar == "\u{200D}"
        default: true
        }
    }

    /// Returns the number of terminal cells that the text fills. Source: Unicode Standard Annex 11, the wide ranges.
    static func width(_ text: String) -> Int {
        text.unicodeScalars.reduce(0) { width, scalar in
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .enclosingMark, .format: width
            default: width + (isWide(scalar) ? 2 : 1)
            }
        }
    }

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            true
        default: scalar.properties.isEmojiPresentation
        }
    }
}
