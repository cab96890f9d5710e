import OstiaryContracts

extension LogRecord {
    /// The record as JSON, with every character escaped that controls a terminal or that a reader may take for a line
    /// end.
    var json: [UInt8] {
        var line: [UInt8] = []
        line.reserveCapacity(512)
        var isASCII = Self.append(#"{"time":"#, time, to: &line)
        isASCII = Self.append(#","level":"#, level, to: &line) && isASCII
        isASCII = Self.append(#","logger":"#, logger, to: &line) && isASCII
        isASCII = Self.append(#","message":"#, message, to: &line) && isASCII
        if let cause { isASCII = Self.append(#","cause":"#, cause, to: &line) && isASCII }
        for (name, value) in fields {
            isASCII = Self.append(",", written(name), to: &line) && isASCII
            isASCII = Self.append(":", value, to: &line) && isASCII
        }
        line.append(UInt8(ascii: "}"))
        // The JSON writer has already escaped them within ASCII, and most records are ASCII.
        return isASCII ? line : LogOutput.escaping(line)
    }

    /// - Returns: `true` if what was appended is ASCII.
    private static func append(_ prefix: StaticString, _ text: String, to line: inout [UInt8]) -> Bool {
        line.append(contentsOf: UnsafeBufferPointer(start: prefix.utf8Start, count: prefix.utf8CodeUnitCount))
        var text = text
        return text.withUTF8 { bytes in
            // Most texts need no escape, and are copied at once.
            if ASCII.isPlainJSON(UnsafeRawBufferPointer(bytes)) {
                line.append(UInt8(ascii: "\""))
                line.append(contentsOf: bytes)
                line.append(UInt8(ascii: "\""))
                return true
            }
            JSON.string(String(decoding: bytes, as: UTF8.self)).append(to: &line)
            return ASCII.isASCII(UnsafeRawBufferPointer(bytes))
        }
    }
}
