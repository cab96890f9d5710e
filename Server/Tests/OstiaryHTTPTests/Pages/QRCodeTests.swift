import Testing

@testable import OstiaryHTTP

/// The drawing of a QR code. `second_factor_pages.py` reads one with an independent reader.
struct QRCodeTests {
    /// Returns the dark modules of a drawing.
    private func modules(_ code: QRCode) -> Set<[Int]> {
        var dark: Set<[Int]> = []
        for match in code.path.matches(of: /M(\d+) (\d+)h(\d+)v1h-(\d+)z/) {
            guard let x = Int(match.1), let y = Int(match.2), let width = Int(match.3) else { continue }
            #expect(match.3 == match.4)
            for column in x..<(x + width) { dark.insert([column, y]) }
        }
        return dark
    }

    @Test func `has three finder patterns and a quiet zone around`() throws {
        let code = try #require(QRCode("otpauth://totp/Nordwind:ada?secret=GEZDGNBVGY3TQOJQ"))
        let dark = modules(code)
        // Source: ISO/IEC 18004 §6.3.3 (finder pattern), §6.3.8 (quiet zone).
        #expect((code.size - 8 - 17) % 4 == 0)
        let last = code.size - 4 - 7
        for (left, top) in [(4, 4), (last, 4), (4, last)] {
            for y in 0..<7 {
                for x in 0..<7 {
                    let ring = max(abs(x - 3), abs(y - 3))
                    #expect(dark.contains([left + x, top + y]) == (ring != 2))
                }
            }
        }
        #expect(dark.allSatisfy { $0.allSatisfy { (4..<(code.size - 4)).contains($0) } })
    }

    @Test func `differs for texts that differ, and is the same for one text`() {
        #expect(QRCode("otpauth://totp/a") == QRCode("otpauth://totp/a"))
        #expect(QRCode("otpauth://totp/a") != QRCode("otpauth://totp/b"))
    }

    @Test func `has bounds`() {
        #expect(QRCode(String(repeating: "a", count: QRCode.maximumBytes)) != nil)
        for text in ["", "a\0b", String(repeating: "a", count: QRCode.maximumBytes + 1)] {
            #expect(QRCode(text) == nil)
        }
        #expect(QRCode("Ärger 😀") != nil)
    }
}
