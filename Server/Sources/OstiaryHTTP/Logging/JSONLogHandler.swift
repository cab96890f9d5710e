import Foundation
public import Logging
import OstiaryContracts

/// Writes each log record as one line of JSON to standard error.
public struct JSONLogHandler: LogHandler {
    public var metadata: Logger.Metadata = [:]
    public var logLevel: Logger.Level
    private let label: String
    private let write: @Sendable ([UInt8]) -> Void
    private static let timeStyle = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    public init(label: String, level: Logger.Level) {
        self.init(label: label, level: level) { Self.writeToStandardError($0) }
    }

    /// In one call of the system, which costs half of what `FileHandle` does.
    private static func writeToStandardError(_ record: [UInt8]) {
        record.withUnsafeBytes { bytes in
            var rest = bytes
            while !rest.isEmpty {
                let count = Foundation.write(STDERR_FILENO, rest.baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                // Nobody is left to be told that nobody reads the log.
                guard count > 0 else { return }
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
            }
        }
    }

    /// - Parameter write: Takes one record at a time, its line end included.
    init(label: String, level: Logger.Level, write: @escaping @Sendable ([UInt8]) -> Void) {
        self.label = label
        self.logLevel = level
        self.write = write
    }

    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    public func log(event: LogEvent) {
        var members = [
            JSON.Member("time", .string(Date().formatted(Self.timeStyle))),
            JSON.Member("level", .string(event.level.rawValue)), JSON.Member("logger", .string(label)),
            JSON.Member("message", .string(event.message.description)),
        ]
        if let error = event.error { members.append(JSON.Member("cause", .string("\(error)"))) }
        let own = members.count
        var all = event.metadata ?? [:]
        if !metadata.isEmpty { all.merge(metadata) { new, _ in new } }
        for (key, value) in all.sorted(by: { $0.key < $1.key }) {
            // A name twice in one object is read in two ways.
            let name = members[..<own].contains { $0.name == key } ? "metadata.\(key)" : key
            members.append(JSON.Member(name, .string(value.description)))
        }
        // One write a record, so that records of several threads never mix.
        write(Self.line(JSON.object(members)))
    }

    /// The JSON with everything escaped that a terminal obeys or that some reader takes for a line end.
    private static func line(_ json: JSON) -> [UInt8] {
        var line = json.bytes
        // Within ASCII the writer of JSON has escaped them already, and most records are ASCII.
        if !line.allSatisfy({ $0 < 0x80 }) { line = escaped(line) }
        line.append(0x0A)
        return line
    }

    private static func escaped(_ json: [UInt8]) -> [UInt8] {
        var line: [UInt8] = []
        for scalar in String(decoding: json, as: UTF8.self).unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                for unit in UTF16.encode(scalar) ?? .init() {
                    let digits = String(unit, radix: 16)
                    line.append(contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8)
                }
            default: line.append(contentsOf: UTF8.encode(scalar) ?? .init())
            }
        }
        return line
    }
}
