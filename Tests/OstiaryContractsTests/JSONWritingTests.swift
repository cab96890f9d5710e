import OstiaryContracts
import OstiaryTesting
import Testing

@Suite struct JSONWritingTests {
    private static let written: [(JSON, String)] = [
        (JSON.null, "null"), (true, "true"), (false, "false"), (0, "0"), (-7, "-7"),
        (.integer(.min), "-9223372036854775808"),
        (.number(0.5), "0.5"), (.number(.infinity), "null"), (.number(.nan), "null"), ("a/b", "\"a/b\""),
        ("\"\\", "\"\\\"\\\\\""), ("\n\r\t", "\"\\n\\r\\t\""),
        ("\u{0}\u{8}\u{C}\u{1F}\u{7F}", "\"\\u0000\\u0008\\u000c\\u001f\\u007f\""),
        ("é🔑\u{2028}", "\"é🔑\u{2028}\""), ([], "[]"), ([1, [2]], "[1,[2]]"), ([:], "{}"),
        (["b": 1, "a": ["c": .null], "\"": ""], "{\"b\":1,\"a\":{\"c\":null},\"\\\"\":\"\"}"),
    ]

    @Test(arguments: written)
    func `writes without white space, in order, with few escapes`(value: JSON, text: String) {
        #expect(String(decoding: value.bytes, as: UTF8.self) == text)
    }

    @Test func `writes over several lines for people`() {
        let value: JSON = ["a": [1, 2], "b": [:], "c": ["d": "e"]]
        let text = """
            {
              "a": [
                1,
                2
              ],
              "b": {},
              "c": {
                "d": "e"
              }
            }
            """
        #expect(value.prettyText == text)
    }

    @Test func `reads back whatever it writes`() throws {
        var random = SeededRandom(seed: 20_260_101)
        for _ in 0..<2_000 {
            let value = random.json(depth: 0)
            #expect(try JSON.read(value.bytes) == value)
            #expect(try JSON.read(value.prettyText.bytes) == value)
        }
    }
}

/// Random JSON, the same in every run.
extension SeededRandom {
    fileprivate mutating func json(depth: Int) -> JSON {
        switch Int.random(in: depth < 5 ? 0...7 : 0...5, using: &self) {
        case 0: return .null
        case 1: return .boolean(Bool.random(using: &self))
        case 2: return .integer(Int.random(in: .min ... .max, using: &self) >> Int.random(in: 0..<64, using: &self))
        case 3: return .number(number())
        case 4, 5: return .string(text())
        case 6: return .array((0..<Int.random(in: 0..<5, using: &self)).map { _ in json(depth: depth + 1) })
        default:
            var names: Set<String> = []
            return .object(
                (0..<Int.random(in: 0..<5, using: &self)).compactMap { _ in
                    let name = text()
                    let value = json(depth: depth + 1)
                    return names.insert(name).inserted ? JSON.Member(name, value) : nil
                })
        }
    }

    fileprivate mutating func number() -> Double {
        let number = Double(bitPattern: next())
        return number.isFinite ? number : 0.1
    }

    fileprivate mutating func text() -> String {
        var text = ""
        for _ in 0..<Int.random(in: 0..<9, using: &self) {
            let ranges: [ClosedRange<UInt32>] = [
                0...0x7F, 0x80...0x7FF, 0x800...0xD7FF, 0xE000...0xFFFF, 0x1_0000...0x10_FFFF,
            ]
            let range = ranges[Int.random(in: 0..<ranges.count, using: &self)]
            if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &self)) {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
