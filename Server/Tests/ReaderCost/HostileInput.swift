/// Hostile inputs of about a given size, one for each kind.
enum HostileInput: String, CaseIterable {
    /// One letter with alternating marks, each of which sorts before the one ahead of it.
    case marks
    /// The longest runs of marks that are accepted.
    case markRuns
    /// Distinct names, which fill a hash table.
    case distinct
    /// One name, repeated.
    case duplicates
    case nesting
    case separators
    case percent
    case escapes

    // MARK: Bodies

    func json(_ size: Int) -> [UInt8] {
        switch self {
        case .marks: bytes("{\"", Self.marks(size), "\":1}")
        case .markRuns: bytes("{\"email\":\"", Self.markRuns(size), "\"}")
        case .distinct: bytes("{", Self.numbered(size) { "\"k\($0)\":0," }, "\"\":0}")
        case .duplicates: bytes("[", Self.repeated("{\"a\":1,\"a\":1},", size), "0]")
        case .nesting: Self.repeated("[", size)
        case .separators: bytes("[", Self.repeated("0 ,", size), "0]")
        case .percent: bytes("{\"password\":\"", Self.repeated("%", size), "\"}")
        case .escapes: bytes("{\"email\":\"a", Self.repeated("\\u0315\\u0300", size), "\"}")
        }
    }

    /// A query or a form, its marks percent-encoded.
    func parameters(_ size: Int) -> [UInt8] {
        switch self {
        case .marks: bytes("a", Self.repeated("%CC%95%CC%80", size), "=1")
        case .markRuns: bytes("email=a", Self.repeated(String(repeating: "%CC%95%CC%80", count: 15) + "a", size), "")
        case .distinct: Self.numbered(size) { "k\($0)=0&" }
        case .duplicates: Self.repeated("a=1&", size)
        case .nesting: Self.repeated("a[", size)
        case .separators: Self.repeated("&&==", size)
        case .percent: bytes("a=", Self.repeated("%25", size), "")
        case .escapes: Self.repeated("%", size)
        }
    }

    /// A form whose marks are raw bytes.
    func rawForm(_ size: Int) -> [UInt8] {
        switch self {
        case .marks: bytes("", Self.marks(size), "=1")
        case .markRuns: bytes("email=", Self.markRuns(size), "")
        default: parameters(size)
        }
    }

    // MARK: Headers

    /// The value of a header, in the format that a reader splits by `separator`.
    func header(_ size: Int, separator: String) -> [UInt8] {
        switch self {
        case .marks: Self.marks(size)
        case .markRuns: Self.markRuns(size)
        case .distinct: Self.numbered(size) { "k\($0)=0\(separator)" }
        case .duplicates: Self.repeated("a=1\(separator)", size)
        case .nesting: Self.repeated("(\"", size)
        case .separators: Self.repeated(separator, size)
        case .percent: Self.repeated("%", size)
        case .escapes: bytes("", Self.marks(size / 2), separator) + Self.marks(size / 2)
        }
    }

    // MARK: Parts

    private static func marks(_ size: Int) -> [UInt8] {
        var bytes: [UInt8] = [UInt8(ascii: "a")]
        bytes.reserveCapacity(size + 4)
        while bytes.count < size { bytes += [0xCC, 0x95, 0xCC, 0x80] }
        return bytes
    }

    private static func markRuns(_ size: Int) -> [UInt8] {
        let run: [UInt8] = marks(61)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size + run.count)
        while bytes.count < size { bytes += run }
        return bytes
    }

    private static func repeated(_ text: String, _ size: Int) -> [UInt8] {
        let piece = Array(text.utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size + piece.count)
        while bytes.count < size { bytes += piece }
        return bytes
    }

    private static func numbered(_ size: Int, _ piece: (Int) -> String) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size + 16)
        var number = 0
        while bytes.count < size {
            bytes += Array(piece(number).utf8)
            number += 1
        }
        return bytes
    }

    private func bytes(_ head: String, _ middle: [UInt8], _ tail: String) -> [UInt8] {
        Array(head.utf8) + middle + Array(tail.utf8)
    }
}
