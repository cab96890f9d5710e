import Foundation
package import Logging

/// Writes each log record as one line of text to standard error: time, level, logger and message, then `name=value`.
///
/// A value of more than one word is quoted. Characters that control a terminal are escaped as in JSON.
package struct TextLogHandler: LogHandler {
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
        let time = Date().formatted(LogOutput.timeStyle)
        var line = Array("\(time) \(event.level.rawValue) \(label): ".utf8)
        line += Self.escaped(event.message.description, quote: nil)
        if let error = event.error { line += Self.field("cause", "\(error)") }
        var all = event.metadata ?? [:]
        if !metadata.isEmpty { all.merge(metadata) { new, _ in new } }
        for (key, value) in all.sorted(by: { $0.key < $1.key }) { line += Self.field(key, value.description) }
        line.append(0x0A)
        // One write a record, so that records of several threads never interleave.
        write(line)
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
