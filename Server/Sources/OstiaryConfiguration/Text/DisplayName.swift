import OstiaryCore
import OstiaryEngine

/// The name of an app, a client or a provider that people see.
enum DisplayName {
    private static let longest = 64

    /// Reads at most 64 characters, all of them printable: the name appears on pages and in mail.
    static func check(_ setting: Setting) throws(ConfigurationProblem) -> String {
        let text = try setting.string()
        guard text.unicodeScalars.count <= longest, text.unicodeScalars.allSatisfy(isPrintable),
            text.unicodeScalars.first?.properties.isWhitespace == false,
            text.unicodeScalars.last?.properties.isWhitespace == false
        else { throw setting.problem("needs a name of at most \(longest) printable characters") }
        return text
    }

    /// Returns the display name for an app's name: `Time tracker` for `time-tracker`.
    static func made(from name: AppName) -> String {
        let words = name.text.replacing("-", with: " ").replacing("_", with: " ").trimming(" ")
        return words.isEmpty ? name.text : words.prefix(1).uppercased() + words.dropFirst()
    }

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
            // The joiners that names in Persian and in Indic scripts need.
            scalar == "\u{200C}" || scalar == "\u{200D}"
        default: true
        }
    }
}
