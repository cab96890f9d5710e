extension LogRecord {
    /// The record as text: time, level, logger and message, then `name=value`.
    ///
    /// A value of more than one word is quoted. Characters that control a terminal are escaped as in JSON.
    var text: [UInt8] {
        var line = Array("\(time) \(level) \(logger): ".utf8)
        line += Self.escaped(message, quote: nil)
        if let cause { line += Self.field("cause", cause) }
        for (name, value) in fields { line += Self.field(name, value) }
        return line
    }

    private static func field(_ name: String, _ value: String) -> [UInt8] {
        [0x20] + word(name) + [UInt8(ascii: "=")] + word(value)
    }

    /// Returns the text unchanged if it is one plain word, else quoted, so that no value can look like a further field.
    private static func word(_ text: String) -> [UInt8] {
        let isPlain =
            !text.utf8.isEmpty
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !#""\="#.utf8.contains($0) }
        guard !isPlain else { return Array(text.utf8) }
        let quote = UInt8(ascii: "\"")
        return [quote] + escaped(text, quote: quote) + [quote]
    }

    private static func escaped(_ text: String, quote: UInt8?) -> [UInt8] {
        let backslash = UInt8(ascii: "\\")
        let bytes = text.utf8.flatMap { byte in
            byte == backslash || byte == quote ? [backslash, byte] : [byte]
        }
        return LogOutput.escaping(bytes)
    }
}
