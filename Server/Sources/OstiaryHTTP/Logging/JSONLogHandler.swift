import Foundation
public import Logging
import OstiaryContracts

/// Writes each log record as one line of JSON to standard error.
public struct JSONLogHandler: LogHandler {
    public var metadata: Logger.Metadata = [:]
    public var logLevel: Logger.Level
    private let label: String
    private static let timeStyle = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    public init(label: String, level: Logger.Level) {
        self.label = label
        self.logLevel = level
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
        let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
        for (key, value) in all.sorted(by: { $0.key < $1.key }) {
            members.append(JSON.Member(key, .string(value.description)))
        }
        // One write a record, so that records of several threads never mix.
        var line = JSON.object(members).bytes
        line.append(0x0A)
        FileHandle.standardError.write(Data(line))
    }
}
