import Synchronization

/// A generator of ids of traces and spans, without a system call for each.
///
/// An id is a keyed hash of a counter. It identifies, and is no secret.
final class TraceIdentifiers: Sendable {
    private let key: [UInt8]
    private let count = Atomic<UInt64>(0)

    /// - Parameter key: Random bytes, so that two processes do not generate the same ids.
    init(key: [UInt8]) { self.key = key }

    func traceID() -> String { Self.hexadecimal(next(), next()) }
    func spanID() -> String { Self.hexadecimal(next()) }

    private func next() -> UInt64 {
        while true {
            var hasher = Hasher()
            key.withUnsafeBytes { hasher.combine(bytes: $0) }
            hasher.combine(count.wrappingAdd(1, ordering: .relaxed).newValue)
            let value = UInt64(bitPattern: Int64(hasher.finalize()))
            // Zeros alone are no valid id.
            if value != 0 { return value }
        }
    }

    private static func hexadecimal(_ numbers: UInt64...) -> String {
        String(unsafeUninitializedCapacity: numbers.count * 16) { digits in
            for (index, number) in numbers.enumerated() {
                for place in 0..<16 {
                    let digit = UInt8(truncatingIfNeeded: number >> (60 - place * 4)) & 0xF
                    digits[index * 16 + place] = digit < 10 ? 0x30 + digit : 0x57 + digit
                }
            }
            return numbers.count * 16
        }
    }
}
