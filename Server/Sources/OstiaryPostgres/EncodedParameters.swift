internal import CPQ

/// A statement's parameters in the form that libpq takes.
struct EncodedParameters {
    let types: [UInt32]
    /// The lengths of the values, in bytes; nil for null.
    private let lengths: [Int?]
    /// The values, concatenated.
    private let bytes: [UInt8]

    init(_ parameters: [any PostgresParameter]) {
        types = parameters.map { type(of: $0).typeID }
        var bytes: [UInt8] = []
        lengths = parameters.map { parameter in
            guard let value = parameter.encoded else { return nil }
            bytes += value
            return value.count
        }
        // So that there is an address to point to where all values are empty.
        bytes.append(0)
        self.bytes = bytes
    }

    typealias Sending = (
        Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?
    ) -> Int32

    /// - Returns: `true` if libpq accepted them.
    func send(_ sending: Sending) -> Bool {
        let sizes = lengths.map { Int32(truncatingIfNeeded: $0 ?? 0) }
        let formats = [Int32](repeating: 1, count: lengths.count)
        return bytes.withUnsafeBytes { buffer in
            var offset = 0
            let pointers: [UnsafePointer<CChar>?] = lengths.map { length in
                guard let length else { return nil }
                defer { offset += length }
                return buffer.baseAddress.map { ($0 + offset).assumingMemoryBound(to: CChar.self) }
            }
            return sending(Int32(lengths.count), pointers, sizes, formats) == 1
        }
    }
}
