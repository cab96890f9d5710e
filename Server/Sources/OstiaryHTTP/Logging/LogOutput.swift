import Foundation

/// What both log formats have in common: how records are written, and which characters stand in none.
enum LogOutput {
    static let timeStyle = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    /// In one call of the system, which costs half of what `FileHandle` does.
    static func writeToStandardError(_ record: [UInt8]) {
        record.withUnsafeBytes { bytes in
            var rest = bytes
            while !rest.isEmpty {
                let count = Foundation.write(STDERR_FILENO, rest.baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                // There is no other place to report that the log is gone.
                guard count > 0 else { return }
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
            }
        }
    }

    /// The text with everything written as `\uXXXX` that a terminal obeys or that some reader takes for a line end: control
    /// characters, line and paragraph separators, and formats, the overrides of direction among them.
    static func escaping(_ text: some Sequence<UInt8>) -> [UInt8] {
        var line: [UInt8] = []
        for scalar in String(decoding: Array(text), as: UTF8.self).unicodeScalars {
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
