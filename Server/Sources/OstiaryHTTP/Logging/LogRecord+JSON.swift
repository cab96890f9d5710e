import OstiaryContracts

extension LogRecord {
    /// The record as JSON, with every character escaped that controls a terminal or that a reader may take for a line
    /// end.
    var json: [UInt8] {
        var own = [("time", time), ("level", level), ("logger", logger), ("message", message)]
        if let cause { own.append(("cause", cause)) }
        var line: [UInt8] = []
        line.reserveCapacity(512)
        for (name, value) in own { Self.append(name, value, to: &line) }
        for (name, value) in fields {
            // Parsers disagree on which value of a repeated name holds.
            let isTaken = own.contains { $0.0 == name }
            Self.append(isTaken ? "metadata.\(name)" : name, value, to: &line)
        }
        line.append(UInt8(ascii: "}"))
        // The JSON writer has already escaped them within ASCII, and most records are ASCII.
        return line.allSatisfy { $0 < 0x80 } ? line : LogOutput.escaping(line)
    }

    private static func append(_ name: String, _ value: String, to line: inout [UInt8]) {
        line.append(line.isEmpty ? UInt8(ascii: "{") : UInt8(ascii: ","))
        JSON.string(name).append(to: &line)
        line.append(UInt8(ascii: ":"))
        JSON.string(value).append(to: &line)
    }
}
