import OstiaryContracts

/// The values of a header such as `Accept-Language` with their qualities, the highest first.
///
/// Source: RFC 9110 §12.4.2, §12.5.
struct QualityList {
    /// The values in lower case, with qualities in thousandths from 1 to 1000; values of quality 0 are excluded.
    let wanted: [(value: String, quality: Int)]
    private let unwanted: Set<String>

    /// Skips values that are unreadable or not ASCII, and ignores what exceeds 32 values or 2,000 bytes, which no
    /// client sends in good faith.
    init(_ header: String?) {
        var wanted: [(value: String, quality: Int)] = []
        var unwanted: Set<String> = []
        let text = String(decoding: (header ?? "").utf8.prefix(2000), as: UTF8.self)
        for element in text.utf8.split(separator: UInt8(ascii: ",")).prefix(32) {
            guard element.allSatisfy({ $0 < 0x80 }) else { continue }
            let parts = element.split(separator: UInt8(ascii: ";")).map(Self.trimmed)
            guard let value = parts.first, !value.isEmpty, let quality = Self.quality(parts.dropFirst()) else {
                continue
            }
            if quality > 0 { wanted.append((value, quality)) } else { unwanted.insert(value) }
        }
        // Stable: of two values with the same quality the first comes first.
        self.wanted = wanted.enumerated()
            .sorted { ($0.element.quality, $1.offset) > ($1.element.quality, $0.offset) }.map(\.element)
        self.unwanted = unwanted
    }

    /// Returns the quality of a value, by its own name or else by the first of `ranges` that is listed.
    func quality(of value: String, orOf ranges: [String] = []) -> Int {
        for name in [value] + ranges {
            if unwanted.contains(name) { return 0 }
            if let match = wanted.first(where: { $0.value == name }) { return match.quality }
        }
        return 0
    }

    /// - Returns: Nil if there is an invalid quality.
    private static func quality(_ parameters: some Sequence<String>) -> Int? {
        for parameter in parameters where parameter.hasPrefix("q=") {
            let digits = Array(parameter.utf8.dropFirst(2))
            guard let first = digits.first, digits.count <= 5, first == UInt8(ascii: "0") || first == UInt8(ascii: "1")
            else { return nil }
            guard digits.count > 1 else { return first == UInt8(ascii: "1") ? 1000 : 0 }
            guard digits[1] == UInt8(ascii: ".") else { return nil }
            var thousandths = first == UInt8(ascii: "1") ? 1000 : 0
            var weight = 100
            for digit in digits.dropFirst(2) {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
                thousandths += Int(digit - UInt8(ascii: "0")) * weight
                weight /= 10
            }
            return thousandths <= 1000 ? thousandths : nil
        }
        return 1000
    }

    private static func trimmed(_ text: Substring.UTF8View) -> String {
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        let bytes = Array(text.drop(while: isSpace).reversed().drop(while: isSpace).reversed())
        return String(decoding: bytes, as: UTF8.self).lowercased()
    }
}

extension WireRequest {
    /// `true` if the client prefers a page to JSON: only where it names the media type, as browsers do.
    var prefersPage: Bool {
        let accept = QualityList(headers["accept"])
        let page = accept.quality(of: "text/html")
        return page > accept.quality(of: "application/json", orOf: ["application/*", "*/*"])
    }
}
