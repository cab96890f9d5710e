extension LogRecord {
    /// The record as `name=value` pairs: time, level, logger and message, then the fields.
    ///
    /// A value of more than one word is quoted, with JSON's escapes. A byte of a name that is neither a letter, a digit nor
    /// one of `_.-` is written as `%XX`, so that neither a name nor a value can look like a further field.
    var logfmt: [UInt8] {
        var line: [UInt8] = []
        line.reserveCapacity(512)
        line.append(contentsOf: "time=\(time) level=\(level) logger=".utf8)
        line += Self.word(logger)
        line.append(contentsOf: " message=".utf8)
        line += Self.word(message)
        if let cause {
            line.append(contentsOf: " cause=".utf8)
            line += Self.word(cause)
        }
        for (name, value) in fields {
            line.append(0x20)
            line += Self.name(written(name))
            line.append(UInt8(ascii: "="))
            line += Self.word(value)
        }
        return line
    }

    private static func name(_ text: String) -> [UInt8] {
        let isPlain: (UInt8) -> Bool = { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-"): true
            default: false
            }
        }
        guard !text.utf8.isEmpty else { return Array("%".utf8) }
        guard !text.utf8.allSatisfy(isPlain) else { return Array(text.utf8) }
        return text.utf8.flatMap { byte -> [UInt8] in
            guard !isPlain(byte) else { return [byte] }
            let digits = String(byte, radix: 16, uppercase: true)
            return Array("%\(digits.utf8.count == 1 ? "0" : "")\(digits)".utf8)
        }
    }

    /// Returns the text unchanged if it is one plain word, else quoted, so that no value can look like a further field.
    static func word(_ text: String) -> [UInt8] {
        let isPlain =
            !text.utf8.isEmpty
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !#""\="#.utf8.contains($0) }
        guard !isPlain else { return Array(text.utf8) }
        let quote = UInt8(ascii: "\"")
        return [quote] + escaped(text, quote: quote) + [quote]
    }

    /// Escapes the backslash, the quote, and the characters that ``LogOutput/escaping(_:)`` escapes.
    static func escaped(_ text: String, quote: UInt8?) -> [UInt8] {
        let backslash = UInt8(ascii: "\\")
        let bytes = text.utf8.flatMap { byte in
            byte == backslash || byte == quote ? [backslash, byte] : [byte]
        }
        return LogOutput.escaping(bytes)
    }
}
