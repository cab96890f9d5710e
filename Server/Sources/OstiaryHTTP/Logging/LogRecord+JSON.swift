import OstiaryContracts

extension LogRecord {
    /// The record as JSON, with every character escaped that controls a terminal or that a reader may take for a line
    /// end.
    var json: [UInt8] {
        var line: [UInt8] = []
        line.reserveCapacity(512)
        Self.append(#"{"time":"#, time, to: &line)
        Self.append(#","level":"#, level, to: &line)
        Self.append(#","logger":"#, logger, to: &line)
        Self.append(#","message":"#, message, to: &line)
        if let cause { Self.append(#","cause":"#, cause, to: &line) }
        for (name, value) in fields {
            Self.append(",", written(name), to: &line)
            Self.append(":", value, to: &line)
        }
        line.append(UInt8(ascii: "}"))
        // The JSON writer has already escaped them within ASCII, and most records are ASCII.
        return line.allSatisfy { $0 < 0x80 } ? line : LogOutput.escaping(line)
    }

    private static func append(_ prefix: StaticString, _ text: String, to line: inout [UInt8]) {
        line.append(contentsOf: UnsafeBufferPointer(start: prefix.utf8Start, count: prefix.utf8CodeUnitCount))
        // Most texts need no escape, and are copied at once.
        let isCopied = text.utf8.withContiguousStorageIfAvailable { bytes in
            guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C && $0 < 0x7F }) else { return false }
            line.append(UInt8(ascii: "\""))
            line.append(contentsOf: bytes)
            line.append(UInt8(ascii: "\""))
            return true
        }
        if isCopied != true { JSON.string(text).append(to: &line) }
    }
}
