import OstiaryContracts
import OstiaryCore
import Testing

/// What may stand between a reader and every comparison behind it.
@Suite struct StreamSafeTextTests {
    @Test(arguments: [
        "", "plain", "Zoë Ångström", "e\u{301}", "한국어", "ประเทศไทย", "हिन्दी", "تَشْكِيل", "👩‍👩‍👧‍👦🇩🇪",
        "a" + String(repeating: "\u{301}", count: 30), String(repeating: "e\u{301}", count: 20_000),
    ]) func `PT-01: lets text of every script through`(text: String) {
        #expect(StreamSafeText.isStreamSafe(Array(text.utf8)))
        #expect(StreamSafeText.text(Array(text.utf8))?.utf8.elementsEqual(text.utf8) == true)
    }

    /// U+0F73 is a mark of combining class 0 that decomposes into two of other classes; U+0344 into two as well.
    @Test(
        arguments: ["\u{300}", "\u{315}", "\u{344}", "\u{F73}", "\u{20D0}", "\u{1D165}", "\u{FE0F}"] as [Unicode.Scalar]
    )
    func `PT-01: refuses a longer run of marks than any writing system has`(mark: Unicode.Scalar) {
        var text = "a"
        for _ in 0..<31 { text.unicodeScalars.append(mark) }
        #expect(!StreamSafeText.isStreamSafe(Array(text.utf8)))
        #expect(StreamSafeText.text(Array((text + "b").utf8)) == nil)
    }

    @Test func `PT-01: is no text that is not UTF-8`() {
        for bytes in [[0xFF], [0xCC], [0x61, 0xCC, 0x61], [0xED, 0xA0, 0x80]] as [[UInt8]] {
            #expect(StreamSafeText.text(bytes) == nil)
        }
    }
}
