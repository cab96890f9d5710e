/// The headers of a request in their order. Names are in lower case; values consist of printing ASCII characters, spaces
/// and tabs.
///
/// The bytes are copied once from the connection. Texts are made of the values that a route reads, and of no others.
package struct HeaderList: Sendable {
    /// The position of a header: its name is followed by its value.
    private struct Field {
        let start: Int
        let valueStart: Int
        let end: Int
    }

    private var bytes: [UInt8] = []
    private var fields: [Field] = []

    package init() {}

    package init(_ headers: [(name: String, value: String)]) {
        for (var name, var value) in headers {
            name.withUTF8 { name in
                value.withUTF8 { append(UnsafeRawBufferPointer(name), UnsafeRawBufferPointer($0)) }
            }
        }
    }

    /// - Parameters:
    ///   - name: A token, in any letter case.
    ///   - value: Without white space at its ends. Bytes beyond ASCII are percent-encoded, as in a URI: the server and its
    ///     libraries compare text of ASCII alone byte by byte. No header that the server reads has other bytes.
    mutating func append(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        if fields.isEmpty {
            // Enough for most requests.
            bytes.reserveCapacity(1024)
            fields.reserveCapacity(16)
        }
        let start = bytes.count
        bytes.append(contentsOf: name)
        bytes.withUnsafeMutableBufferPointer { bytes in
            for place in start..<bytes.count { bytes[place] = ASCII.lowercased(bytes[place]) }
        }
        let valueStart = bytes.count
        if ASCII.isASCII(value) {
            bytes.append(contentsOf: value)
        } else {
            for byte in value { Self.appendPercentEncoded(byte, to: &bytes) }
        }
        fields.append(Field(start: start, valueStart: valueStart, end: bytes.count))
    }

    private static func appendPercentEncoded(_ byte: UInt8, to bytes: inout [UInt8]) {
        guard byte >= 0x80 else { return bytes.append(byte) }
        bytes.append(UInt8(ascii: "%"))
        bytes.append(contentsOf: String(byte, radix: 16, uppercase: true).utf8)
    }

    // MARK: Reading

    // Names are given in lower case.

    func contains(_ name: String) -> Bool { index(of: name) != nil }

    /// Returns `true` if the name of a header begins with the prefix.
    func contains(namePrefix prefix: String) -> Bool {
        fields.contains { bytes[$0.start..<$0.valueStart].starts(with: prefix.utf8) }
    }

    /// Returns the value of a header that occurs at most once, or its first one.
    func first(_ name: String) -> String? { index(of: name).map(value) }

    /// Returns the values of a header in their order.
    func values(of name: String) -> [String] {
        var values: [String] = []
        var start = 0
        while let place = index(of: name, from: start) {
            values.append(value(at: place))
            start = place + 1
        }
        return values
    }

    /// Returns the values of a header as one list; nil if there are none. Source: RFC 9110 §5.3.
    func list(_ name: String) -> String? {
        guard let place = index(of: name) else { return nil }
        // Nearly every header occurs once.
        guard index(of: name, from: place + 1) != nil else { return value(at: place) }
        return values(of: name).joined(separator: ", ")
    }

    /// The headers as texts.
    var all: [(name: String, value: String)] {
        fields.indices.map { place in
            let field = fields[place]
            return (String(decoding: bytes[field.start..<field.valueStart], as: UTF8.self), value(at: place))
        }
    }

    private func index(of name: String, from start: Int = 0) -> Int? {
        let count = name.utf8.count
        for place in start..<fields.count {
            let field = fields[place]
            guard field.valueStart - field.start == count else { continue }
            if bytes[field.start..<field.valueStart].elementsEqual(name.utf8) { return place }
        }
        return nil
    }

    private func value(at place: Int) -> String {
        String(decoding: bytes[fields[place].valueStart..<fields[place].end], as: UTF8.self)
    }
}
