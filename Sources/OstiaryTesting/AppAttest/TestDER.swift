package import Foundation

/// Writes the Distinguished Encoding Rules. Source: ITU-T X.690 §10.
package enum TestDER {
    package static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let length: [UInt8]
        switch content.count {
        case 0..<0x80: length = [UInt8(content.count)]
        case 0x80..<0x100: length = [0x81, UInt8(content.count)]
        default:
            length = [0x82, UInt8(truncatingIfNeeded: content.count >> 8), UInt8(truncatingIfNeeded: content.count)]
        }
        return [tag] + length + content
    }

    package static func sequence(_ elements: [[UInt8]]) -> [UInt8] { element(0x30, elements.flatMap(\.self)) }
    package static func objectIdentifier(_ content: [UInt8]) -> [UInt8] { element(0x06, content) }
    package static func octetString(_ content: [UInt8]) -> [UInt8] { element(0x04, content) }
    package static func bitString(_ content: [UInt8], unusedBits: UInt8 = 0) -> [UInt8] {
        element(0x03, [unusedBits] + content)
    }

    /// Returns a name with one organization and one common name.
    package static func name(_ commonName: String) -> [UInt8] {
        sequence(
            [([0x55, 0x04, 0x03], commonName), ([0x55, 0x04, 0x0A], "Test")].map { id, text in
                element(0x31, sequence([objectIdentifier(id), element(0x0C, Array(text.utf8))]))
            })
    }

    /// Returns a `UTCTime` until 2049, and a `GeneralizedTime` later. Source: RFC 5280 §4.1.2.5.
    package static func time(_ date: Date) -> [UInt8] {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? calendar.timeZone
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
        let year = parts.year ?? 1970
        let rest = [parts.month, parts.day, parts.hour, parts.minute, parts.second]
            .map { digits($0 ?? 0, 2) }.joined()
        return year < 2050
            ? element(0x17, Array((digits(year % 100, 2) + rest + "Z").utf8))
            : element(0x18, Array((digits(year, 4) + rest + "Z").utf8))
    }

    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
}
