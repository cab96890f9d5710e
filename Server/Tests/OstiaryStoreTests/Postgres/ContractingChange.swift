import Foundation

/// A change of the schema that programs of an earlier version do not survive, which therefore no step makes that they may
/// continue to use the database after.
enum ContractingChange: String, CaseIterable {
    case dropped = #"\bDROP (TABLE|COLUMN|CONSTRAINT|VIEW|DEFAULT|TRIGGER|FUNCTION|TYPE|SCHEMA)\b"#
    case renamed = #"\bRENAME\b"#
    case type = #"\bALTER (COLUMN )?\S+ (SET DATA )?TYPE\b"#
    case required = #"\bSET NOT NULL\b"#
    case requiredAtOnce = #"\bADD (COLUMN )?(IF NOT EXISTS )?(?!CONSTRAINT)\S+ (?![^,]*\bDEFAULT\b)[^,]*\bNOT NULL\b"#
    case constrained = #"\bADD (CONSTRAINT|CHECK|UNIQUE|FOREIGN KEY|PRIMARY KEY|EXCLUDE)\b"#
    case unique = #"\bCREATE UNIQUE INDEX\b"#

    /// Returns the changes in a statement.
    ///
    /// - Parameter created: The names of the tables that the same step creates, which no earlier program knows.
    static func found(in statement: String, besides created: Set<String> = []) -> Set<Self> {
        let text = plain(statement)
        guard let table = table(of: text), created.contains(table) else {
            return Set(allCases.filter { text.range(of: $0.rawValue, options: .regularExpression) != nil })
        }
        return []
    }

    /// Returns the name of the table that a statement creates.
    static func createdTable(_ statement: String) -> String? {
        let text = plain(statement)
        return text.hasPrefix("CREATE TABLE ") ? table(of: text) : nil
    }

    /// Returns a statement without comments, bodies of functions, and line breaks, in upper case.
    private static func plain(_ statement: String) -> String {
        var text = statement.uppercased()
        for (pattern, replacement) in [
            (#"--[^\n]*"#, " "), (#"\$(\w*)\$[\s\S]*?\$\1\$"#, "''"), (#"\([^()]*\)"#, "()"), (#"\s+"#, " "),
        ] {
            text = text.replacingOccurrences(of: pattern, with: replacement, options: .regularExpression)
        }
        return text.trimmingCharacters(in: .whitespaces)
    }

    private static func table(of text: String) -> String? {
        let pattern = #"^(CREATE TABLE|ALTER TABLE( ONLY)?|CREATE UNIQUE INDEX \S+ ON)( IF NOT EXISTS)? "#
        guard let start = text.range(of: pattern, options: .regularExpression) else { return nil }
        return text[start.upperBound...].split(separator: " ").first.map(String.init)
    }
}
