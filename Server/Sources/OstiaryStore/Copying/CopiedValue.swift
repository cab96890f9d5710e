import Crypto

/// A column's value in transit from one database to the other.
enum CopiedValue: Hashable, Sendable {
    case null
    case text(String)
    case integer(Int64)
    case bool(Bool)
    case bytes([UInt8])
}

/// A checksum of rows: equal for the same rows in the same order, independent of the database they are read from.
struct TableChecksum {
    private var hash = SHA256()
    private(set) var rows = 0

    /// Adds a row: each value with its type and length, so that no two rows have the same encoding.
    mutating func add(_ row: [CopiedValue]) {
        rows += 1
        var bytes: [UInt8] = []
        for value in row {
            switch value {
            case .null: bytes.append(0)
            case .text(let text): Self.append(1, Array(text.utf8), to: &bytes)
            case .bytes(let content): Self.append(2, content, to: &bytes)
            case .integer(let integer):
                bytes.append(3)
                withUnsafeBytes(of: integer.bigEndian) { bytes.append(contentsOf: $0) }
            case .bool(let bool): bytes += [4, bool ? 1 : 0]
            }
        }
        hash.update(data: bytes)
    }

    /// The digest in hexadecimal.
    var text: String {
        hash.finalize().map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }

    private static func append(_ kind: UInt8, _ content: [UInt8], to bytes: inout [UInt8]) {
        bytes.append(kind)
        withUnsafeBytes(of: UInt64(content.count).bigEndian) { bytes.append(contentsOf: $0) }
        bytes += content
    }
}

extension CopiedTable {
    /// Returns rows as the JSON that ``insertion`` takes. Bytes are in PostgreSQL's hexadecimal form.
    func json(_ rows: [[CopiedValue]]) -> String {
        var text: [UInt8] = []
        for (index, row) in rows.enumerated() {
            text += index == 0 ? "[{".utf8 : ",\n{".utf8
            for (position, (column, value)) in zip(columns, row).enumerated() {
                if position > 0 { text.append(UInt8(ascii: ",")) }
                text += "\"\(column.name)\":".utf8
                value.appendJSON(to: &text)
            }
            text.append(UInt8(ascii: "}"))
        }
        text += rows.isEmpty ? "[]".utf8 : "]".utf8
        return String(decoding: text, as: UTF8.self)
    }
}

extension CopiedValue {
    private static let digits = Array("0123456789abcdef".utf8)

    /// Appends the value as JSON. Source: RFC 8259 §7.
    fileprivate func appendJSON(to json: inout [UInt8]) {
        switch self {
        case .null: json += "null".utf8
        case .bool(let bool): json += bool ? "true".utf8 : "false".utf8
        case .integer(let integer): json += String(integer).utf8
        case .bytes(let bytes):
            json += "\"\\\\x".utf8
            for byte in bytes { json += [Self.digits[Int(byte >> 4)], Self.digits[Int(byte & 15)]] }
            json.append(UInt8(ascii: "\""))
        case .text(let text):
            json.append(UInt8(ascii: "\""))
            for byte in text.utf8 {
                switch byte {
                case UInt8(ascii: "\""), UInt8(ascii: "\\"): json += [UInt8(ascii: "\\"), byte]
                case 0..<0x20: json += "\\u00".utf8 + [Self.digits[Int(byte >> 4)], Self.digits[Int(byte & 15)]]
                default: json.append(byte)
                }
            }
            json.append(UInt8(ascii: "\""))
        }
    }
}
