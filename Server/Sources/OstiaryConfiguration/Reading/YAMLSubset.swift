/// The subset of YAML that a configuration may use: plain and quoted text, mappings and lists.
///
/// Anchors, aliases, tags, directives, text blocks and tabs are refused before the text is composed, because a composer
/// expands aliases, and keys made of aliases cost time exponential in the size of the file. The check follows libyaml's
/// scanner in where a token can begin; in ambiguous cases it refuses.
struct YAMLSubset {
    /// The maximum nesting: far more than a configuration has, and far less than the stack permits.
    private static let deepestNesting = 32

    private let bytes: [UInt8]
    private var index = 0
    private var line = 1
    private var flowDepth = 0
    private var column = 0
    /// `true` if a token can begin here.
    private var atStart = true

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The line of a refused construct, and the requirement that it violates.
    struct Refusal: Error {
        var line: Int
        var need: String
    }

    /// - Throws: The first refusal.
    static func check(_ bytes: [UInt8]) throws(Refusal) {
        var scanner = YAMLSubset(bytes)
        try scanner.checkCharacters()
        while scanner.index < bytes.count { try scanner.step() }
    }

    private func checkCharacters() throws(Refusal) {
        var line = 1
        for (index, byte) in bytes.enumerated() {
            let rest = bytes[index...].prefix(3)
            if byte == UInt8(ascii: "\n") { line += 1 }
            if byte == UInt8(ascii: "\t") { throw Refusal(line: line, need: "needs spaces: tabs are not allowed") }
            // U+0085, U+2028 and U+2029 end a line for libyaml, so a comment could hide the text after them.
            if byte == 0xC2 && rest.starts(with: [0xC2, 0x85])
                || byte == 0xE2 && (rest.elementsEqual([0xE2, 0x80, 0xA8]) || rest.elementsEqual([0xE2, 0x80, 0xA9]))
            {
                throw Refusal(line: line, need: "needs plain line ends")
            }
        }
    }

    private mutating func step() throws(Refusal) {
        let byte = bytes[index]
        switch byte {
        case UInt8(ascii: "\n"), UInt8(ascii: "\r"): endLine()
        case UInt8(ascii: " "): try space()
        case UInt8(ascii: "#") where column == 0 || previous == UInt8(ascii: " "): skipComment()
        default: try atStart ? beginToken(byte) : continuePlain(byte)
        }
    }

    private mutating func beginToken(_ byte: UInt8) throws(Refusal) {
        switch byte {
        case UInt8(ascii: "&"), UInt8(ascii: "*"):
            throw refuse("needs no anchors and aliases; put a text that begins with & or * in quotes")
        case UInt8(ascii: "!"): throw refuse("needs no tags; put a text that begins with ! in quotes")
        case UInt8(ascii: "|"), UInt8(ascii: ">"): throw refuse("needs no text blocks; put the text in quotes")
        case UInt8(ascii: "%"): throw refuse("needs no directives; put a text that begins with % in quotes")
        case UInt8(ascii: "\""), UInt8(ascii: "'"): skipQuoted(byte)
        case UInt8(ascii: "["), UInt8(ascii: "{"): try nest()
        case UInt8(ascii: "]"), UInt8(ascii: "}"): unnest()
        case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "?"): advance()
        case UInt8(ascii: "-") where isBlank(next):
            guard column <= 4 * Self.deepestNesting else { throw refuse("needs less nesting") }
            advance()
        case UInt8(ascii: "-") where column == 0 && next == byte && following(2) == byte && isBlank(following(3)):
            advance(by: 3)
        default:
            atStart = false
            advance()
        }
    }

    private mutating func continuePlain(_ byte: UInt8) throws(Refusal) {
        switch byte {
        case UInt8(ascii: ":"):
            atStart = isBlank(next) || next.map { ",[]{}".utf8.contains($0) } == true
            advance()
        case UInt8(ascii: ",") where flowDepth > 0:
            atStart = true
            advance()
        case UInt8(ascii: "["), UInt8(ascii: "{"): try flowDepth > 0 ? nest() : advance()
        case UInt8(ascii: "]"), UInt8(ascii: "}"): flowDepth > 0 ? unnest() : advance()
        default: advance()
        }
    }

    private mutating func skipQuoted(_ quote: UInt8) {
        advance()
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\n") {
                endLine()
            } else if byte == quote {
                guard quote == UInt8(ascii: "'"), next == quote else { break }
                advance(by: 2)
            } else {
                let escapes = byte == UInt8(ascii: "\\") && quote == UInt8(ascii: "\"") && next != UInt8(ascii: "\n")
                advance(by: escapes ? 2 : 1)
            }
        }
        advance()
        // A colon right after a quoted key separates, regardless of the next character; so a token may begin here.
        atStart = true
    }

    private mutating func space() throws(Refusal) {
        advance()
        if atStart, column > 4 * Self.deepestNesting, bytes[(index - column)..<index].allSatisfy({ $0 == 0x20 }) {
            throw refuse("needs less indentation")
        }
    }

    private mutating func nest() throws(Refusal) {
        flowDepth += 1
        guard flowDepth <= Self.deepestNesting else { throw refuse("needs less nesting") }
        atStart = true
        advance()
    }

    private mutating func unnest() {
        flowDepth = max(0, flowDepth - 1)
        atStart = true
        advance()
    }

    private mutating func skipComment() {
        while index < bytes.count, bytes[index] != UInt8(ascii: "\n"), bytes[index] != UInt8(ascii: "\r") {
            advance()
        }
    }

    private mutating func endLine() {
        let isPair = bytes[index] == UInt8(ascii: "\r") && next == UInt8(ascii: "\n")
        index += isPair ? 2 : 1
        line += 1
        column = 0
        atStart = true
    }

    private mutating func advance(by count: Int = 1) {
        index += count
        column += count
    }

    private var previous: UInt8? { following(-1) }
    private var next: UInt8? { following(1) }
    private func following(_ offset: Int) -> UInt8? {
        bytes.indices.contains(index + offset) ? bytes[index + offset] : nil
    }
    private func isBlank(_ byte: UInt8?) -> Bool { byte.map { " \n\r".utf8.contains($0) } ?? true }
    private func refuse(_ need: String) -> Refusal { Refusal(line: line, need: need) }
}
