/// A statement's parameter. Its Swift type determines its PostgreSQL type, also for null.
package protocol PostgresParameter: Sendable {
    /// The type's object identifier. Source: PostgreSQL, src/include/catalog/pg_type.dat.
    static var typeID: UInt32 { get }
    /// The value in the binary format of its type; nil for null.
    var encoded: [UInt8]? { get }
}

extension String: PostgresParameter {
    package static var typeID: UInt32 { 25 }
    package var encoded: [UInt8]? { Array(utf8) }
}

extension Int64: PostgresParameter {
    package static var typeID: UInt32 { 20 }
    package var encoded: [UInt8]? { bigEndianBytes }
}

extension Int: PostgresParameter {
    package static var typeID: UInt32 { Int64.typeID }
    package var encoded: [UInt8]? { Int64(self).encoded }
}

extension Bool: PostgresParameter {
    package static var typeID: UInt32 { 16 }
    package var encoded: [UInt8]? { [self ? 1 : 0] }
}

/// Arrays of bytes are a `bytea`; arrays of texts and integers are PostgreSQL arrays.
extension Array: PostgresParameter where Element: PostgresArrayElement {
    package static var typeID: UInt32 { Element.arrayTypeID }
    package var encoded: [UInt8]? { Element.encode(self) }
}

/// An element type whose arrays can be parameters.
package protocol PostgresArrayElement: Sendable {
    static var arrayTypeID: UInt32 { get }
    static func encode(_ elements: [Self]) -> [UInt8]
}

extension UInt8: PostgresArrayElement {
    package static var arrayTypeID: UInt32 { 17 }
    package static func encode(_ elements: [UInt8]) -> [UInt8] { elements }
}

extension String: PostgresArrayElement {
    package static var arrayTypeID: UInt32 { 1009 }
    package static func encode(_ elements: [String]) -> [UInt8] { encodeArray(elements) }
}

extension Int64: PostgresArrayElement {
    package static var arrayTypeID: UInt32 { 1016 }
    package static func encode(_ elements: [Int64]) -> [UInt8] { encodeArray(elements) }
}

/// A null in an array.
extension Optional: PostgresArrayElement where Wrapped: PostgresArrayElement & PostgresParameter {
    package static var arrayTypeID: UInt32 { Wrapped.arrayTypeID }
    package static func encode(_ elements: [Wrapped?]) -> [UInt8] { encodeArray(elements) }
}

/// Encodes an array of one dimension. Source: PostgreSQL, src/backend/utils/adt/arrayfuncs.c, `array_recv`.
private func encodeArray<Element: PostgresParameter>(_ elements: [Element]) -> [UInt8] {
    let values = elements.map(\.encoded)
    let dimensions: Int32 = elements.isEmpty ? 0 : 1
    let hasNulls: Int32 = values.contains(nil) ? 1 : 0
    var bytes = dimensions.bigEndianBytes + hasNulls.bigEndianBytes + Element.typeID.bigEndianBytes
    guard !elements.isEmpty else { return bytes }
    bytes += Int32(truncatingIfNeeded: elements.count).bigEndianBytes + Int32(1).bigEndianBytes
    for value in values {
        bytes += (value.map { Int32(truncatingIfNeeded: $0.count) } ?? -1).bigEndianBytes + (value ?? [])
    }
    return bytes
}

extension Optional: PostgresParameter where Wrapped: PostgresParameter {
    package static var typeID: UInt32 { Wrapped.typeID }
    package var encoded: [UInt8]? { self?.encoded }
}

extension FixedWidthInteger {
    fileprivate var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
