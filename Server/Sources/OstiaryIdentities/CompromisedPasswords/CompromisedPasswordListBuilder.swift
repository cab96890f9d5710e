import Crypto
package import Foundation

/// Makes a file of compromised passwords from a text: `SHA1` or `SHA1:COUNT` a line, in ascending order, as the download of Have I
/// Been Pwned has it.
package struct CompromisedPasswordListBuilder {
    private let source: String

    /// A line of the source that is not usable.
    package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
    }

    /// - Parameter source: The path of the text. It is read twice.
    package init(source: String) { self.source = source }

    /// Writes the file.
    ///
    /// - Parameters:
    ///   - write: Receives the bytes of the file in order.
    /// - Returns: The number of passwords.
    /// - Throws: ``Problem``; the error of `write`.
    package func build(_ write: @escaping (Data) throws -> Void) throws -> UInt64 {
        // Counted first, because the values depend on the number of all.
        var count: UInt64 = 0
        var before: UInt64 = 0
        try forEachHash { hash, line in
            guard hash >= before else {
                throw Problem(description: "line \(line): the hashes are not in ascending order")
            }
            (count, before) = (count + 1, hash)
        }
        var output = ChecksummedOutput(write: write)
        try output.append(CompromisedPasswordFormat.magic + count.littleEndianBytes)
        var bits = BitWriter()
        var index: [UInt8] = []
        var (number, last) = (UInt64(0), UInt64(0))
        try forEachHash { hash, _ in
            let value = CompromisedPasswordFormat.value(of: hash, count: count)
            let isFirst = number % CompromisedPasswordFormat.entriesPerBlock == 0
            guard number < count, value >= last else { throw Self.changed }
            if isFirst {
                index += value.littleEndianBytes + bits.length.littleEndianBytes
            } else {
                bits.append(value - last)
            }
            (number, last) = (number + 1, value)
            if bits.bytes.count >= Self.chunkBytes { try output.append(bits.take()) }
        }
        guard number == count else { throw Self.changed }
        let length = bits.length
        try output.append(bits.finish())
        try output.append(index)
        try output.append(length.littleEndianBytes)
        try output.finish()
        return count
    }

    private static let changed = Problem(description: "the source changed while it was read")
    private static let chunkBytes = 1 << 20
    private static let maximumLineBytes = 256

    /// Calls `body` for each line with the first 8 bytes of its hash and its number.
    private func forEachHash(_ body: (UInt64, Int) throws -> Void) throws {
        guard let file = FileHandle(forReadingAtPath: source) else {
            throw Problem(description: "\(source) cannot be read")
        }
        defer { try? file.close() }
        var (buffer, number) = ([UInt8](), 0)
        var isAtEnd = false
        while !isAtEnd {
            let chunk = try file.read(upToCount: Self.chunkBytes) ?? Data()
            isAtEnd = chunk.isEmpty
            buffer += chunk
            var begin = 0
            while begin < buffer.count,
                let end = buffer[begin...].firstIndex(of: UInt8(ascii: "\n")) ?? (isAtEnd ? buffer.count : nil)
            {
                number += 1
                try body(Self.hash(of: buffer[begin..<end], line: number), number)
                begin = end + 1
            }
            buffer.removeFirst(min(begin, buffer.count))
            guard buffer.count <= Self.maximumLineBytes else {
                throw Problem(description: "line \(number + 1): it is too long")
            }
        }
    }

    private static func hash(of line: ArraySlice<UInt8>, line number: Int) throws -> UInt64 {
        var text = line
        if text.last == UInt8(ascii: "\r") { text = text.dropLast() }
        let digits = text.prefix(40)
        let tail = text.dropFirst(40)
        var hash: UInt64 = 0
        for (place, digit) in digits.enumerated() {
            guard let value = Self.value(ofDigit: digit) else { break }
            if place < 16 { hash = hash << 4 | value }
            if place == 39, tail.isEmpty || tail.first == UInt8(ascii: ":") { return hash }
        }
        throw Problem(description: "line \(number): it does not begin with a SHA-1 hash of 40 hexadecimal digits")
    }

    private static func value(ofDigit digit: UInt8) -> UInt64? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(digit - UInt8(ascii: "0"))
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(digit - UInt8(ascii: "A") + 10)
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(digit - UInt8(ascii: "a") + 10)
        default: nil
        }
    }
}

/// Writes bytes, and at the end their SHA-256.
private struct ChecksummedOutput {
    let write: (Data) throws -> Void
    private var hasher = SHA256()

    init(write: @escaping (Data) throws -> Void) { self.write = write }

    mutating func append(_ bytes: [UInt8]) throws {
        let data = Data(bytes)
        hasher.update(data: data)
        try write(data)
    }

    func finish() throws { try write(Data(hasher.finalize())) }
}

/// Writes Rice-coded numbers.
private struct BitWriter {
    /// The number of bits of all numbers.
    private(set) var length: UInt64 = 0
    /// The complete bytes that were not taken.
    private(set) var bytes: [UInt8] = []
    private var pending: UInt8 = 0
    private var pendingBits = 0

    mutating func append(_ number: UInt64) {
        for _ in 0..<(number >> UInt64(CompromisedPasswordFormat.remainderBits)) { append(bit: 1) }
        append(bit: 0)
        for place in (0..<CompromisedPasswordFormat.remainderBits).reversed() {
            append(bit: UInt8(truncatingIfNeeded: number >> UInt64(place) & 1))
        }
    }

    private mutating func append(bit: UInt8) {
        pending = pending << 1 | bit
        pendingBits += 1
        length += 1
        guard pendingBits == 8 else { return }
        bytes.append(pending)
        (pending, pendingBits) = (0, 0)
    }

    /// Returns the complete bytes, and keeps the others.
    mutating func take() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    /// Returns the remaining bytes, the last one filled with zeros.
    mutating func finish() -> [UInt8] {
        while pendingBits > 0 { append(bit: 0) }
        return take()
    }
}
