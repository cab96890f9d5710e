import OstiaryContracts

extension LogRecord {
    /// The record as JSON, with every character escaped that controls a terminal or that a reader may take for a line
    /// end.
    var json: [UInt8] {
        var members = [
            JSON.Member("time", .string(time)), JSON.Member("level", .string(level)),
            JSON.Member("logger", .string(logger)), JSON.Member("message", .string(message)),
        ]
        if let cause { members.append(JSON.Member("cause", .string(cause))) }
        let own = members.map(\.name)
        for (name, value) in fields {
            // Parsers disagree on which value of a repeated name holds.
            members.append(JSON.Member(own.contains(name) ? "metadata.\(name)" : name, .string(value)))
        }
        let line = JSON.object(members).bytes
        // The JSON writer has already escaped them within ASCII, and most records are ASCII.
        return line.allSatisfy { $0 < 0x80 } ? line : LogOutput.escaping(line)
    }
}
