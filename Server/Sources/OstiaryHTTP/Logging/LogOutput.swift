import Foundation

/// The parts that the log formats share: writing a record, and escaping characters.
enum LogOutput {
    /// Writes the record with one system call, at half the cost of `FileHandle`.
    static func writeToStandardError(_ record: [UInt8]) {
        record.withUnsafeBytes { bytes in
            var rest = bytes
            while !rest.isEmpty {
                let count = Foundation.write(STDERR_FILENO, rest.baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                // There is no other place to report that the log cannot be written.
                guard count > 0 else { return }
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
            }
        }
    }

    /// Returns the text with every character that controls a terminal, or that a reader may take for a line end,
    /// written as `\uXXXX`: control characters, line and paragraph separators, and format characters, including
    /// bidirectional overrides.
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
