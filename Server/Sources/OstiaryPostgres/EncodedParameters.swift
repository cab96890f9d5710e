internal import CPQ

/// A statement's parameters as libpq takes them.
struct EncodedParameters {
    private let types: [UInt32]
    private let values: [[UInt8]?]

    init(_ parameters: [any PostgresParameter]) {
        types = parameters.map { type(of: $0).typeID }
        values = parameters.map(\.encoded)
    }

    typealias Sending = (
        Int32, UnsafePointer<UInt32>?, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?,
        UnsafePointer<Int32>?
    ) -> Int32

    /// - Returns: Whether libpq took them.
    func send(_ sending: Sending) -> Bool {
        let bytes = values.flatMap { $0 ?? [] }
        let lengths = values.map { Int32(truncatingIfNeeded: $0?.count ?? 0) }
        let formats = [Int32](repeating: 1, count: values.count)
        // One more, so that there is a place to point to where all are empty.
        return (bytes + [0]).withUnsafeBytes { buffer in
            var offset = 0
            let pointers: [UnsafePointer<CChar>?] = values.map { value in
                guard let value else { return nil }
                defer { offset += value.count }
                return buffer.baseAddress.map { ($0 + offset).assumingMemoryBound(to: CChar.self) }
            }
            return sending(Int32(values.count), types, pointers, lengths, formats) == 1
        }
    }
}
