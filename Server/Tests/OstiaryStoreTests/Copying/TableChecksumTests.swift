@testable import OstiaryStore
import Testing

@Suite struct TableChecksumTests {
    private static let row: [CopiedValue] = [
        .integer(1), .text("name"), .bytes([1, 2, 3]), .bool(true), .null, .text(""),
    ]

    private func checksum(_ rows: [[CopiedValue]]) -> String {
        var checksum = TableChecksum()
        for row in rows { checksum.add(row) }
        return checksum.text
    }

    @Test func `is the same for the same rows`() {
        #expect(checksum([Self.row, Self.row]) == checksum([Self.row, Self.row]))
        #expect(checksum([Self.row]).utf8.count == 64)
    }

    @Test(arguments: [
        [CopiedValue.integer(2), .text("name"), .bytes([1, 2, 3]), .bool(true), .null, .text("")],
        [.integer(1), .text("namf"), .bytes([1, 2, 3]), .bool(true), .null, .text("")],
        [.integer(1), .text("name"), .bytes([1, 2, 2]), .bool(true), .null, .text("")],
        [.integer(1), .text("name"), .bytes([1, 2, 3]), .bool(false), .null, .text("")],
        [.integer(1), .text("name"), .bytes([1, 2, 3]), .bool(true), .text(""), .text("")],
        [.integer(1), .text("name"), .bytes([1, 2, 3]), .bool(true), .null, .null],
    ])
    func `notices one value that changed`(row: [CopiedValue]) {
        #expect(checksum([row]) != checksum([Self.row]))
    }

    @Test func `tells bytes from text, and one place from the next`() {
        #expect(checksum([[.text("a")]]) != checksum([[.bytes([97])]]))
        #expect(checksum([[.text("ab"), .text("c")]]) != checksum([[.text("a"), .text("bc")]]))
        // Canonically equivalent texts have different checksums.
        #expect(checksum([[.text("\u{E4}")]]) != checksum([[.text("a\u{308}")]]))
    }

    @Test func `notices rows in another order, and one that is missing`() {
        let other: [CopiedValue] = [.integer(2)]
        #expect(checksum([Self.row, other]) != checksum([other, Self.row]))
        #expect(checksum([Self.row, other]) != checksum([Self.row]))
    }
}
