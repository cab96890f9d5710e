import Foundation
package import Logging
import OstiaryContracts

/// Writes each log record as one line of JSON to standard error.
package struct JSONLogHandler: LogHandler {
    package var metadata: Logger.Metadata = [:]
    package var logLevel: Logger.Level
    private let label: String
    private let write: @Sendable ([UInt8]) -> Void

    package init(label: String, level: Logger.Level) {
        self.init(label: label, level: level) { LogOutput.writeToStandardError($0) }
    }

    /// - Parameter write: Receives one record at a time, including its line end.
    init(label: String, level: Logger.Level, write: @escaping @Sendable ([UInt8]) -> Void) {
        self.label = label
        self.logLevel = level
        self.write = write
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var members = [
            JSON.Member("time", .string(Date().formatted(LogOutput.timeStyle))),
            JSON.Member("level", .string(event.level.rawValue)), JSON.Member("logger", .string(label)),
            JSON.Member("message", .string(event.message.description)),
        ]
        if let error = event.error { members.append(JSON.Member("cause", .string("\(error)"))) }
        let own = members.count
        var all = event.metadata ?? [:]
        if !metadata.isEmpty { all.merge(metadata) { new, _ in new } }
        for (key, value) in all.sorted(by: { $0.key < $1.key }) {
            // Parsers disagree on which value of a repeated name holds.
            let name = members[..<own].contains { $0.name == key } ? "metadata.\(key)" : key
            members.append(JSON.Member(name, .string(value.description)))
        }
        // One write a record, so that records of several threads never interleave.
        write(Self.line(JSON.object(members)))
    }

    /// Returns the JSON with every character escaped that controls a terminal or that a reader may take for a line end.
    private static func line(_ json: JSON) -> [UInt8] {
        var line = json.bytes
        // The JSON writer has already escaped them within ASCII, and most records are ASCII.
        if !line.allSatisfy({ $0 < 0x80 }) { line = LogOutput.escaping(line) }
        line.append(0x0A)
        return line
    }
}
