import OstiaryWebAuthnFuzzing
import Testing

@testable import OstiaryWebAuthn

@Suite struct CBORTests {
    /// Source: RFC 8949 appendix A, as far as WebAuthn uses the values.
    private static let allowed: [(String, CBOR)] = [
        ("00", .unsigned(0)), ("01", .unsigned(1)), ("0a", .unsigned(10)), ("17", .unsigned(23)),
        ("1818", .unsigned(24)), ("1819", .unsigned(25)), ("1864", .unsigned(100)), ("1903e8", .unsigned(1000)),
        ("1a000f4240", .unsigned(1_000_000)), ("1b000000e8d4a51000", .unsigned(1_000_000_000_000)),
        ("1bffffffffffffffff", .unsigned(.max)), ("3bffffffffffffffff", .negative(.max)), ("20", .negative(0)),
        ("29", .negative(9)), ("3863", .negative(99)), ("3903e7", .negative(999)), ("f4", .boolean(false)),
        ("f5", .boolean(true)), ("f6", .null), ("40", .bytes([])), ("4401020304", .bytes([1, 2, 3, 4])),
        ("60", .text("")), ("6161", .text("a")), ("6449455446", .text("IETF")), ("62225c", .text("\"\\")),
        ("62c3bc", .text("ü")), ("63e6b0b4", .text("水")), ("64f0908591", .text("𐅑")), ("80", .array([])),
        ("83010203", .array([.unsigned(1), .unsigned(2), .unsigned(3)])),
        ("98190102030405060708090a0b0c0d0e0f101112131415161718181819", .array((1...25).map { .unsigned($0) })),
        ("a0", .map([])), ("a201020304", .map([.init(.unsigned(1), .unsigned(2)), .init(.unsigned(3), .unsigned(4))])),
        (
            "a26161016162820203",
            .map([
                .init(.text("a"), .unsigned(1)), .init(.text("b"), .array([.unsigned(2), .unsigned(3)])),
            ])
        ),
        ("826161a161626163", .array([.text("a"), .map([.init(.text("b"), .text("c"))])])),
        // Keys of all types: unsigned before negative integers, byte strings before texts, shorter before longer.
        (
            "a60100186402200341010461610562616106",
            .map([
                .init(.unsigned(1), .unsigned(0)), .init(.unsigned(100), .unsigned(2)),
                .init(.negative(0), .unsigned(3)), .init(.bytes([1]), .unsigned(4)),
                .init(.text("a"), .unsigned(5)), .init(.text("aa"), .unsigned(6)),
            ])
        ),
    ]

    @Test(arguments: allowed)
    func `decodes values in canonical form`(text: String, value: CBOR) throws {
        #expect(try CBOR.decode(hex(text)) == value)
        #expect(value.encoded == hex(text))
    }

    private static let refused: [(String, CBORProblem)] = [
        // Truncation.
        ("", .truncated), ("18", .truncated), ("19", .truncated), ("1901", .truncated), ("1a010203", .truncated),
        ("1b01020304050607", .truncated), ("38", .truncated), ("41", .truncated), ("58", .truncated),
        ("5818", .truncated), ("61", .truncated), ("64494554", .truncated), ("81", .truncated),
        ("8201", .truncated), ("a1", .truncated), ("a101", .truncated), ("a2010203", .truncated),
        ("5bffffffffffffffff", .truncated), ("7bffffffffffffffff", .truncated), ("9bffffffffffffffff", .truncated),
        ("bbffffffffffffffff", .truncated), ("5b7fffffffffffffff", .truncated), ("bb8000000000000000", .truncated),
        ("9a00010000", .truncated), ("5affffffff", .truncated),
        // Trailing bytes.
        ("0000", .trailingBytes), ("a0a0", .trailingBytes), ("f6f6", .trailingBytes), ("4000", .trailingBytes),
        ("8000", .trailingBytes),
        // Indefinite lengths. Source: RFC 8949 §3.2.
        ("ff", .indefiniteLength), ("5f42010243030405ff", .indefiniteLength),
        ("7f657374726561646d696e67ff", .indefiniteLength), ("9fff", .indefiniteLength),
        ("9f018202039f0405ffff", .indefiniteLength), ("83018202039f0405ff", .indefiniteLength),
        ("bf61610161629f0203ffff", .indefiniteLength), ("826161bf61626163ff", .indefiniteLength),
        ("81ff", .indefiniteLength), ("a1ff00", .indefiniteLength),
        // Encodings that are not the shortest. Source: RFC 8949 §4.2.1.
        ("1800", .notShortest), ("1817", .notShortest), ("190018", .notShortest), ("1900ff", .notShortest),
        ("1a0000ffff", .notShortest), ("1b00000000ffffffff", .notShortest), ("3817", .notShortest),
        ("3900ff", .notShortest), ("3a0000ffff", .notShortest), ("3b00000000ffffffff", .notShortest),
        ("5800", .notShortest), ("580101", .notShortest), ("59000101", .notShortest), ("780161", .notShortest),
        ("790001 61", .notShortest), ("980100", .notShortest), ("b80100f6", .notShortest),
        ("5b000000000000000101", .notShortest),
        // Reserved additional information. Source: RFC 8949 §3.
        ("1c", .reserved), ("1d", .reserved), ("1e", .reserved), ("1f", .reserved), ("3c", .reserved),
        ("3f", .reserved), ("5c", .reserved), ("7d", .reserved), ("9e", .reserved), ("bc", .reserved),
        ("fc", .reserved), ("fd", .reserved), ("fe", .reserved),
        // Tags.
        ("c249010000000000000000", .tag), ("c11a514b67b0", .tag), ("d74401020304", .tag), ("d818456449455446", .tag),
        ("d9d9f700", .tag), ("81c100", .tag), ("df", .tag),
        // Floating-point numbers.
        ("f90000", .float), ("f93c00", .float), ("fa47c35000", .float), ("fb3ff199999999999a", .float),
        ("f97e00", .float), ("fa7fc00000", .float), ("81f97c00", .float),
        // Simple values.
        ("f7", .simpleValue), ("f0", .simpleValue), ("e0", .simpleValue), ("f3", .simpleValue),
        ("f818", .simpleValue), ("f8ff", .simpleValue), ("f814", .simpleValue), ("f815", .simpleValue),
        // Text that is not UTF-8.
        ("6180", .invalidText), ("62c0ae", .invalidText), ("63eda080", .invalidText), ("64f4908080", .invalidText),
        ("61ff", .invalidText), ("62e282", .invalidText), ("a161c300", .invalidText),
        // Order and duplicates of keys. Source: CTAP 2.1 §8.
        ("a203000100", .unsortedKeys), ("a220000100", .unsortedKeys), ("a2616100 4000", .unsortedKeys),
        ("a2616200616100", .unsortedKeys), ("a262616100616200", .unsortedKeys), ("a2186400 0100", .unsortedKeys),
        ("a2410100 4000", .unsortedKeys), ("a281000020 00", .unsortedKeys),
        ("a201000100", .duplicateKey), ("a220002000", .duplicateKey), ("a2616100616100", .duplicateKey),
        ("a240004000", .duplicateKey), ("a3010002000200", .duplicateKey), ("a2800080 00", .duplicateKey),
        ("a1 61 61 a2 01000100", .duplicateKey),
    ]

    @Test(arguments: refused)
    func `refuses values that are not in canonical form or not allowed`(text: String, problem: CBORProblem) {
        #expect(throws: problem) { try CBOR.decode(hex(text)) }
    }

    @Test(arguments: [[0x81], [0xA1, 0x00]] as [[UInt8]])
    func `decodes eight levels of nesting and refuses the ninth`(level: [UInt8]) throws {
        let eight = Array([[UInt8]](repeating: level, count: CBOR.maximumDepth).joined()) + [0x00]
        #expect(throws: Never.self) { try CBOR.decode(eight) }
        #expect(throws: CBORProblem.tooDeep) { try CBOR.decode(level + eight) }
        let hostile = Array([[UInt8]](repeating: level, count: 30_000).joined())
        #expect(throws: CBORProblem.tooDeep) { try CBOR.decode(hostile) }
    }

    @Test func `decodes 64 KiB and refuses one byte more`() throws {
        let full = CBOR.bytes([UInt8](repeating: 7, count: CBOR.maximumBytes - 3)).encoded
        #expect(full.count == CBOR.maximumBytes)
        #expect(try CBOR.decode(full) == .bytes([UInt8](repeating: 7, count: CBOR.maximumBytes - 3)))
        let excessive = CBOR.bytes([UInt8](repeating: 7, count: CBOR.maximumBytes - 2)).encoded
        #expect(throws: CBORProblem.tooLong) { try CBOR.decode(excessive) }
    }

    @Test func `decodes large maps and arrays`() throws {
        let map = CBOR.map((0..<10_000).map { CBOR.Entry(.unsigned($0), .null) })
        #expect(try CBOR.decode(map.encoded) == map)
        let array = CBOR.array([CBOR](repeating: .boolean(true), count: 65_000))
        #expect(try CBOR.decode(array.encoded) == array)
        // Equal long prefixes make every comparison of keys as expensive as its length.
        let keys = (0..<128).map { CBOR.bytes([UInt8](repeating: 0, count: 400) + [UInt8($0)]) }
        let long = CBOR.map(keys.map { CBOR.Entry($0, .null) })
        #expect(try CBOR.decode(long.encoded) == long)
    }

    @Test func `returns the length of a value that other bytes follow`() throws {
        let bytes = hex("ffa201020304f7")
        let (value, length) = try CBOR.decodePrefix(of: bytes[1...])
        #expect(length == 5)
        #expect(value[1] == .unsigned(2))
        #expect(throws: CBORProblem.simpleValue) { try CBOR.decodePrefix(of: bytes[6...]) }
        #expect(throws: CBORProblem.truncated) { try CBOR.decodePrefix(of: bytes[7...]) }
    }

    @Test func `compares text keys by bytes`() throws {
        // A-ring as one scalar and as two.
        let map = CBOR.map([.init(.text("\u{C5}"), .unsigned(1)), .init(.text("A\u{30A}"), .unsigned(2))])
        let decoded = try CBOR.decode(map.encoded)
        #expect(decoded["A\u{30A}"] == .unsigned(2))
        #expect(decoded["\u{212B}"] == nil)
        #expect(CBOR.text("\u{C5}") != CBOR.text("A\u{30A}"))
    }

    @Test func `converts integers that fit into 64 bits`() {
        #expect(CBOR.unsigned(UInt64(Int64.max)).integer == .max)
        #expect(CBOR.unsigned(UInt64(Int64.max) + 1).integer == nil)
        #expect(CBOR.negative(UInt64(Int64.max)).integer == .min)
        #expect(CBOR.negative(UInt64(Int64.max) + 1).integer == nil)
        #expect(CBOR.negative(.max).integer == nil)
        #expect(CBOR.text("1").integer == nil)
    }

    @Test func `random bytes never trap, and whatever is decoded is canonical`() {
        var random = SeededGenerator(seed: 20_261_123)
        let seeds = Self.allowed.map { hex($0.0) } + SpecificationVector.all.map(\.attestationObject)
        var decoded = 0
        for round in 0..<4_000 {
            let bytes =
                round % 2 == 0
                ? (0..<Int.random(in: 0..<40, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
                : random.mutate(seeds[round / 2 % seeds.count])
            guard let value = try? CBOR.decode(bytes) else { continue }
            decoded += 1
            #expect(value.encoded == bytes)
        }
        #expect(decoded > 100)
    }

    @Test func `problems have distinct descriptions`() {
        #expect(Set(CBORProblem.allCases.map(\.description)).count == CBORProblem.allCases.count)
    }
}
