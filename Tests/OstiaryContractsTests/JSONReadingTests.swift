import OstiaryContracts
import Testing

@Suite struct JSONReadingTests {
    private static let allowed: [(String, JSON)] = [
        ("null", JSON.null), ("true", true), ("false", false), ("0", 0), ("-1", -1), (" 7 ", 7), ("\t\r\n7\n", 7),
        ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)), ("0.5", .number(0.5)),
        ("-0.0", .number(0)), ("-0", .number(0)), ("1.0", .number(1)), ("1e2", .number(100)), ("1E+2", .number(100)),
        ("1e-2", .number(0.01)), ("0e0", .number(0)), ("12.5e-1", .number(1.25)), ("1e-400", .number(0)),
        ("1e308", .number(1e308)), ("\"\"", ""), ("\"a\"", "a"),
        ("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\u{8}\u{C}\n\r\t"),
        ("\"\\u0041\\u00e9\\u00E9\"", "Aéé"), ("\"\\ud83d\\udd11\"", "🔑"), ("\"\\uD83D\\uDD11\"", "🔑"),
        ("\"🔑é\"", "🔑é"),
        ("\"\\u0000\"", "\u{0}"), ("\"\\uffff\"", "\u{FFFF}"), ("\"\u{7F}\"", "\u{7F}"), ("\"\u{2028}\"", "\u{2028}"),
        ("[]", []), ("[ ]", []), ("[1]", [1]), ("[1,\"a\",null,[],{}]", [1, "a", .null, [], [:]]), ("{}", [:]),
        ("{ }", [:]), ("{\"a\":1}", ["a": 1]), ("{\"b\":1,\"a\":{\"b\":2}}", ["b": 1, "a": ["b": 2]]),
        ("{\"\":0}", ["": 0]),
        (" { \"a\" : [ 1 , 2 ] } ", ["a": [1, 2]]),
    ]

    @Test(arguments: allowed)
    func `reads what RFC 8259 allows`(text: String, value: JSON) throws {
        #expect(try JSON.read(text.bytes) == value)
    }

    @Test(arguments: [
        "", " ", "nul", "nulll", "True", "NULL", "undefined", "NaN", "Infinity", "-Infinity", "'a'", "a", "01", "-01",
        "00",
        "+1", "-", "--1", ".5", "1.", "1.e2", "1e", "1e+", "1e1.5", "0x10", "1_000", "1 000", "１", "[", "]", "[1",
        "[1,", "[1,]",
        "[,1]", "[,]", "[1,,2]", "[1 2]", "[1;2]", "{", "}", "{\"a\"}", "{\"a\":}", "{\"a\" 1}", "{\"a\":1,}", "{,}",
        "{a:1}",
        "{'a':1}", "{1:1}", "{null:1}", "{\"a\":1 \"b\":2}", "{\"a\"::1}", "[\"a\"", "[}", "{]", "\"", "\"a", "\"\\\"",
        "\"\\a\"", "\"\\x41\"", "\"\\u\"", "\"\\u12\"", "\"\\u12g4\"", "\"\\u+123\"", "\"\\U0041\"", "\"a\nb\"",
        "\"a\tb\"",
        "\"\u{0}\"", "\"\u{1F}\"", "/* c */ 1", "1 // c", "#", "\u{A0}1", "\u{2003}1", "\u{B}1", "\u{C}1",
    ]) func `refuses what RFC 8259 does not allow`(text: String) {
        #expect(throws: JSONProblem.malformed) { try JSON.read(text.bytes) }
    }

    @Test(arguments: ["1 2", "{}{}", "{} x", "nulltrue", "\"a\"\"b\"", "[]]", "{}}", "1,", "{}\u{0}", "true\u{FEFF}"])
    func `refuses anything after the value`(text: String) {
        #expect(throws: JSONProblem.malformed) { try JSON.read(text.bytes) }
    }

    @Test(
        arguments: [
            [0xEF, 0xBB, 0xBF, 0x7B, 0x7D], [0xFE, 0xFF, 0x00, 0x7B, 0x00, 0x7D], [0xFF, 0xFE, 0x7B, 0x00, 0x7D, 0x00],
            [0x7B, 0x00, 0x7D, 0x00], [0x00, 0x7B, 0x7D], [0x7B, 0x7D, 0x00],
        ] as [[UInt8]]) func `refuses byte order marks, UTF-16 and NUL`(bytes: [UInt8])
    {
        #expect(throws: JSONProblem.malformed) { try JSON.read(bytes) }
    }

    @Test(
        arguments: [
            [0x80], [0xC0, 0xAE], [0xC1, 0xBF], [0xE0, 0x80, 0xAF], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
            [0xF4, 0x90, 0x80, 0x80],
            [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x94],
        ] as [[UInt8]]) func `refuses bytes in a string that are not UTF-8`(bytes: [UInt8])
    {
        #expect(throws: JSONProblem.malformed) { try JSON.read([0x22] + bytes + [0x22]) }
        #expect(throws: JSONProblem.malformed) { try JSON.read([0x7B, 0x22] + bytes + [0x22, 0x3A, 0x31, 0x7D]) }
    }

    @Test(arguments: [
        "\\ud800", "\\udbff", "\\udc00", "\\udfff", "\\ud800x", "\\ud800\\n", "\\ud800\\ud800", "\\ud800\\u0041",
        "\\udc00\\ud800",
        "\\ud83d\\u", "\\ud83d\\",
    ]) func `refuses lone surrogates`(escapes: String) {
        #expect(throws: JSONProblem.malformed) { try JSON.read("\"\(escapes)\"".bytes) }
    }

    @Test(arguments: ["1e400", "-1e400", "1e99999999999999999999", "[1e309]"])
    func `refuses numbers that no Double holds (IN-03)`(text: String) {
        #expect(throws: JSONProblem.malformed) { try JSON.read(text.bytes) }
    }

    @Test(arguments: ["9223372036854775808", "-9223372036854775809", "1e18", "1.0", "-0", "10000000000000000000000"])
    func `takes no number for an integer that is not one of 64 bits (IN-03)`(text: String) throws {
        guard case .number = try JSON.read(text.bytes) else {
            Issue.record("\(text) is read as something else")
            return
        }
    }

    @Test(arguments: [
        ("{\"a\":1,\"a\":2}", "a"), ("{\"a\":1,\"\\u0061\":2}", "a"), ("[{\"b\":{\"c\":1,\"d\":2,\"c\":1}}]", "c"),
        ("{\"\":1,\"\":1}", ""), ("{\"\u{E9}\":1,\"\u{E9}\":2}", "\u{E9}"),
        ("{\(many),\"k3\":1}", "k3"), ("{\(many),\"k30\":1}", "k30"),
    ]) func `refuses a name that stands twice in one object`(text: String, name: String) {
        #expect(throws: JSONProblem.duplicateName(name)) { try JSON.read(text.bytes) }
    }

    /// More names than are looked at one by one.
    private static let many = (0...30).map { "\"k\($0)\":\($0)" }.joined(separator: ",")

    @Test func `takes one name in two objects for two names`() throws {
        #expect(try JSON.read("[{\"a\":1},{\"a\":{\"a\":2}},{\"A\":1,\"a\":1}]".bytes) != .null)
    }

    @Test(arguments: [("[", "]"), ("{\"a\":", "}")], [31, 32, 33, 100_000])
    func `nests 32 levels and no more (IN-02)`(marks: (open: String, close: String), depth: Int) throws {
        let inner = marks.open == "[" ? "" : "1"
        let text = String(repeating: marks.open, count: depth) + inner + String(repeating: marks.close, count: depth)
        if depth <= 32 {
            #expect(try JSON.read(text.bytes) != .null)
        } else {
            #expect(throws: JSONProblem.tooDeep) { try JSON.read(text.bytes) }
        }
    }

    @Test func `reads long arrays and objects (IN-02)`() throws {
        let array = "[\(Array(repeating: "1", count: 100_000).joined(separator: ","))]"
        #expect(try JSON.read(array.bytes) == .array(Array(repeating: 1, count: 100_000)))
        let object = "{\((0..<100_000).map { "\"k\($0)\":\($0)" }.joined(separator: ","))}"
        #expect(try JSON.read(object.bytes)["k99999"] == 99_999)
    }
}
