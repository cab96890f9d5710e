/// A CBOR value of the kinds that WebAuthn uses: no tags, floating-point numbers or `undefined`. Source: RFC 8949 §3.
package enum CBOR: Sendable {
    /// An unsigned integer: major type 0.
    case unsigned(UInt64)
    /// The negative integer -1 - `n`: major type 1.
    case negative(UInt64)
    /// A byte string: major type 2.
    case bytes([UInt8])
    /// A text string: major type 3.
    case text(String)
    /// An array: major type 4.
    case array([CBOR])
    /// A map; a decoded one has no duplicate keys and is in CTAP2 canonical order: major type 5.
    case map([Entry])
    /// The simple values 20 and 21.
    case boolean(Bool)
    /// The simple value 22.
    case null

    /// A key of a map and its value.
    package struct Entry: Sendable {
        package var key: CBOR
        package var value: CBOR

        package init(_ key: CBOR, _ value: CBOR) {
            self.key = key
            self.value = value
        }
    }

    /// The value of a map's entry with a text key; nil if this is not a map or has no such entry.
    package subscript(name: String) -> CBOR? {
        guard case .map(let entries) = self else { return nil }
        return entries.first {
            guard case .text(let key) = $0.key else { return false }
            return key.utf8.elementsEqual(name.utf8)
        }?.value
    }

    /// The value of a map's entry with an integer key; nil if this is not a map or has no such entry.
    package subscript(label: Int64) -> CBOR? {
        guard case .map(let entries) = self else { return nil }
        return entries.first { $0.key.integer == label }?.value
    }

    /// The integer; nil for other values and for integers that do not fit into 64 bits.
    package var integer: Int64? {
        switch self {
        case .unsigned(let value): Int64(exactly: value)
        case .negative(let value): Int64(exactly: value).map { -1 - $0 }
        default: nil
        }
    }
}

extension CBOR: Equatable {
    /// Returns `true` if both values are equal, with texts compared by bytes and entries in the same order.
    package static func == (one: CBOR, other: CBOR) -> Bool {
        switch (one, other) {
        case (.unsigned(let one), .unsigned(let other)): one == other
        case (.negative(let one), .negative(let other)): one == other
        case (.bytes(let one), .bytes(let other)): one == other
        case (.text(let one), .text(let other)): one.utf8.elementsEqual(other.utf8)
        case (.array(let one), .array(let other)): one == other
        case (.map(let one), .map(let other)): one == other
        case (.boolean(let one), .boolean(let other)): one == other
        case (.null, .null): true
        default: false
        }
    }
}

extension CBOR.Entry: Equatable {}
