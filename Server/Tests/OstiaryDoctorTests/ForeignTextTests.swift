import Testing

@testable import OstiaryDoctor

/// Texts that other hosts send.
struct ForeignTextTests {
    @Test func `keeps ASCII`() { #expect(String(ascii: "v=spf1 -all".utf8) == "v=spf1 -all") }

    @Test func `has no mark that a comparison would have to sort`() {
        #expect(String(ascii: "a\u{315}\u{300}".utf8) == "a????")
    }

    @Test func `has no malformed UTF-8`() { #expect(String(ascii: [0x61, 0xFF, 0x62]) == "a?b") }
}
