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
            line.append(UInt8(ascii: ","))
            JSON.string(written(name)).append(to: &line)
            Self.append(":", value, to: &line)
        }
        line.append(UInt8(ascii: "}"))
        // The JSON writer has already escaped them within ASCII, and most records are ASCII.
        return line.allSatisfy { $0 < 0x80 } ? line : LogOutput.escaping(line)
    }

    private static func append(_ prefix: String, _ value: String, to line: inout [UInt8]) {
        line.append(contentsOf: prefix.utf8)
        JSON.string(value).append(to: &line)
    }
}
