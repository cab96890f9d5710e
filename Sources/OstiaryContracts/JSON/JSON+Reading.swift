import OstiaryCore

/// The reason for which bytes are rejected as JSON.
public enum JSONProblem: Error, Hashable, Sendable {
    /// Not JSON, not UTF-8, with a byte order mark, with trailing content after the value, or with a text that is not
    /// `StreamSafeText`.
    case malformed
    /// Arrays and objects nest deeper than ``JSON/maximumDepth``.
    case tooDeep
    /// An object has two members with this name.
    case duplicateName(String)
}

extension JSONProblem: CustomStringConvertible {
    /// The reason as a clause in English, for a message to the author of the file.
    public var description: String {
        switch self {
        case .malformed: "it cannot be read"
        case .tooDeep: "it nests more than \(JSON.maximumDepth) levels"
        case .duplicateName(let name): "the name \(name) stands twice in one object"
        }
    }
}

extension JSON {
    /// The maximum nesting depth of arrays and objects.
    public static let maximumDepth = 32

    /// Parses one value, strictly and in linear time: UTF-8 without byte order mark, no duplicate names in an object
    /// (compared by bytes), no lone surrogates, only `StreamSafeText`, at most ``maximumDepth`` levels.
    ///
    /// The project has its own parser because Foundation's parsers accept duplicate names, which two parsers of one
    /// body may interpret differently. Source: RFC 8259; RFC 7493 §2.3 (no duplicate names).
    ///
    /// - Throws: ``JSONProblem`` with the first problem found.
    public static func read(_ bytes: [UInt8]) throws(JSONProblem) -> JSON {
        var end = 0
        return try read(bytes, endingAt: &end)
    }

    /// Parses one value as ``read(_:)`` does.
    ///
    /// - Parameter end: The index of the byte at which the parser stopped: after a problem, near it.
    static func read(_ bytes: [UInt8], endingAt end: inout Int) throws(JSONProblem) -> JSON {
        var reader = JSONReader(bytes: bytes)
        defer { end = reader.position }
        reader.skipSpace()
        let value = try reader.value(depth: 0)
        reader.skipSpace()
        guard reader.position == bytes.count else { throw .malformed }
        return value
    }
}

private struct JSONReader {
    let bytes: [UInt8]
    var position = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    mutating func value(depth: Int) throws(JSONProblem) -> JSON {
        switch next {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .boolean(true))
        case UInt8(ascii: "f"): return try word("false", .boolean(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    mutating func word(_ text: StaticString, _ value: JSON) throws(JSONProblem) -> JSON {
        let end = position + text.utf8CodeUnitCount
        guard end <= bytes.count,
            text.withUTF8Buffer({ bytes[position..<end].elementsEqual($0) })
        else { throw .malformed }
        position = end
        return value
    }

    mutating func array(depth: Int) throws(JSONProblem) -> JSON {
        guard depth < JSON.maximumDepth else { throw .tooDeep }
        position += 1
        skipSpace()
        if take(UInt8(ascii: "]")) { return .array([]) }
        var elements: [JSON] = []
        while true {
            skipSpace()
            elements.append(try value(depth: depth + 1))
            skipSpace()
            if take(UInt8(ascii: "]")) { return .array(elements) }
            guard take(UInt8(ascii: ",")) else { throw .malformed }
        }
    }

    mutating func object(depth: Int) throws(JSONProblem) -> JSON {
        guard depth < JSON.maximumDepth else { throw .tooDeep }
        position += 1
        skipSpace()
        if take(UInt8(ascii: "}")) { return .object([]) }
        var members: [JSON.Member] = []
        var names = NameSet()
        while true {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw .malformed }
            let start = position
            let name = try string()
            guard names.insert(name) else {
                position = start
                throw .duplicateName(name)
            }
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw .malformed }
            skipSpace()
            members.append(JSON.Member(name, try value(depth: depth + 1)))
            skipSpace()
            if take(UInt8(ascii: "}")) { return .object(members) }
            guard take(UInt8(ascii: ",")) else { throw .malformed }
        }
    }

    mutating func string() throws(JSONProblem) -> String {
        position += 1
        let start = position
        skipPlainText()
        if next == UInt8(ascii: "\"") {
            position += 1
            return try Self.text(bytes[start..<(position - 1)])
        }
        var text = Array(bytes[start..<position])
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return try Self.text(text[...])
            case UInt8(ascii: "\\"): try escape(into: &text)
            case 0..<0x20: throw .malformed
            default: text.append(byte)
            }
            let start = position
            skipPlainText()
            text += bytes[start..<position]
        }
        throw .malformed
    }

    private mutating func skipPlainText() {
        position += bytes.withUnsafeBytes { [position] in JSON.plainPrefix(of: $0[position...]) }
    }

    private static func text(_ bytes: ArraySlice<UInt8>) throws(JSONProblem) -> String {
        guard let text = StreamSafeText.text(bytes) else { throw .malformed }
        return text
    }

    mutating func escape(into text: inout [UInt8]) throws(JSONProblem) {
        guard let byte = next else { throw .malformed }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            var code = try hexadecimal()
            if (0xD800...0xDBFF).contains(code) {
                guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else { throw .malformed }
                let low = try hexadecimal()
                guard (0xDC00...0xDFFF).contains(low) else { throw .malformed }
                code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(code) else { throw .malformed }
            text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        default: throw .malformed
        }
    }

    mutating func hexadecimal() throws(JSONProblem) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = PercentEncoding.digit(byte) else { throw .malformed }
            code = code << 4 | UInt32(digit)
            position += 1
        }
        return code
    }

    mutating func number() throws(JSONProblem) -> JSON {
        let start = position
        let isNegative = take(UInt8(ascii: "-"))
        let leading = next
        let integerDigits = digits()
        guard integerDigits > 0, integerDigits == 1 || leading != UInt8(ascii: "0") else { throw .malformed }
        var isInteger = true
        if take(UInt8(ascii: ".")) {
            guard digits() > 0 else { throw .malformed }
            isInteger = false
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            guard digits() > 0 else { throw .malformed }
            isInteger = false
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isInteger, let integer = Int(text), !(isNegative && integer == 0) { return .integer(integer) }
        guard let number = Double(text), number.isFinite else { throw .malformed }
        return .number(number)
    }

    mutating func digits() -> Int {
        let start = position
        while let byte = next, (0x30...0x39).contains(byte) { position += 1 }
        return position - start
    }
}
