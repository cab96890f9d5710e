extension JSON {
    /// The value in UTF-8, without white space, with members in their order.
    public var bytes: [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(512)
        write(to: &output, indent: nil)
        return output
    }

    /// Appends the value in the format of ``bytes``.
    public func append(to output: inout [UInt8]) { write(to: &output, indent: nil) }

    /// The value over several indented lines, for display.
    public var prettyText: String {
        var output: [UInt8] = []
        write(to: &output, indent: 0)
        return String(decoding: output, as: UTF8.self)
    }

    private func write(to output: inout [UInt8], indent: Int?) {
        switch self {
        case .null: output.append(contentsOf: "null".utf8)
        case .boolean(let flag): output.append(contentsOf: (flag ? "true" : "false").utf8)
        case .integer(let integer): output.append(contentsOf: String(integer).utf8)
        case .number(let number): output.append(contentsOf: (number.isFinite ? String(number) : "null").utf8)
        case .string(let text): Self.write(text, to: &output)
        case .array(let elements):
            Self.write(elements, between: ("[", "]"), to: &output, indent: indent) { element, output, indent in
                element.write(to: &output, indent: indent)
            }
        case .object(let members):
            Self.write(members, between: ("{", "}"), to: &output, indent: indent) { member, output, indent in
                Self.write(member.name, to: &output)
                output.append(contentsOf: (indent == nil ? ":" : ": ").utf8)
                member.value.write(to: &output, indent: indent)
            }
        }
    }

    private static func write<Element>(
        _ elements: [Element], between marks: (String, String), to output: inout [UInt8], indent: Int?,
        each: (Element, inout [UInt8], Int?) -> Void
    ) {
        let inner = indent.map { $0 + 2 }
        output.append(contentsOf: marks.0.utf8)
        for (index, element) in elements.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            newLine(inner, to: &output)
            each(element, &output, inner)
        }
        if !elements.isEmpty { newLine(indent, to: &output) }
        output.append(contentsOf: marks.1.utf8)
    }

    private static func newLine(_ indent: Int?, to output: inout [UInt8]) {
        guard let indent else { return }
        output.append(0x0A)
        output.append(contentsOf: repeatElement(0x20, count: indent))
    }

    private static func write(_ text: String, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        var text = text
        let isPlain = text.withUTF8 { utf8 in
            guard plainPrefix(of: UnsafeRawBufferPointer(utf8)[...]) == utf8.count else { return false }
            output.append(contentsOf: utf8)
            return true
        }
        if !isPlain { writeEscaped(text, to: &output) }
        output.append(UInt8(ascii: "\""))
    }

    private static func writeEscaped(_ text: String, to output: inout [UInt8]) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): output += [UInt8(ascii: "\\"), byte]
            case 0x0A: output.append(contentsOf: "\\n".utf8)
            case 0x0D: output.append(contentsOf: "\\r".utf8)
            case 0x09: output.append(contentsOf: "\\t".utf8)
            case 0..<0x20, 0x7F:
                let digits = String(byte, radix: 16)
                output.append(contentsOf: "\\u00\(digits.count == 1 ? "0" : "")\(digits)".utf8)
            default: output.append(byte)
            }
        }
    }
}
