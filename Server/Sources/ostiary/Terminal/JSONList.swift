import Foundation

/// A list as JSON: an array with one element a line, written incrementally.
struct JSONList {
    private var isEmpty = true

    mutating func write(_ elements: [some Encodable]) throws {
        for element in elements {
            try StandardOutput.write((isEmpty ? "[\n" : ",\n") + JSONList.line(element))
            isEmpty = false
        }
    }

    func end() throws { try StandardOutput.write(isEmpty ? "[]\n" : "\n]\n") }

    /// Returns one value in one line, without its line end.
    static func line(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(date.preciseText)
        }
        return TerminalText.escapedJSON(String(decoding: try encoder.encode(value), as: UTF8.self))
    }
}

extension Date {
    /// The date in RFC 3339, with milliseconds.
    var preciseText: String { formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)) }

    /// The date in RFC 3339, to the second.
    var text: String { formatted(.iso8601) }
}
