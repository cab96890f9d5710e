import Crypto
import Foundation
package import OstiaryCore
import OstiaryEngine

/// A file of compromised passwords, mapped into memory.
///
/// The file holds a Golomb-coded set of the passwords' SHA-1 hashes: about 14 bits for each. It has no false negatives, and one
/// false positive in ``CompromisedPasswordFormat/falsePositives`` passwords.
package struct CompromisedPasswordList: CompromisedPasswords {
    private let data: Data
    private let header: CompromisedPasswordFormat.Header

    /// The number of passwords.
    package var count: UInt64 { header.count }

    /// Opens a file and verifies its checksum, which reads all of it.
    ///
    /// - Throws: ``CompromisedPasswordFileProblem`` for a file that cannot be read, of another form, or damaged.
    package init(path: String) throws(CompromisedPasswordFileProblem) {
        do { data = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped) } catch {
            throw .unreadable
        }
        header = try CompromisedPasswordFormat.Header(data)
        guard CompromisedPasswordFormat.hasValidChecksum(data) else { throw .damaged }
    }

    /// Returns `true` if a password is on the list, or for one in
    /// ``CompromisedPasswordFormat/falsePositives`` others.
    package func contains(_ password: Secret<String>) async -> Bool {
        contains(Insecure.SHA1.hash(data: Data(password.reveal().utf8)).prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// - Parameter hash: The first 8 bytes of the SHA-1 hash.
    func contains(_ hash: UInt64) -> Bool {
        guard header.count > 0 else { return false }
        let wanted = CompromisedPasswordFormat.value(of: hash, count: header.count)
        // The last block whose first value is not greater.
        var (low, high) = (UInt64(0), header.blocks)
        while low < high {
            let middle = low + (high - low) / 2
            if header.firstValue(of: middle, in: data) <= wanted { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return false }
        let block = low - 1
        var value = header.firstValue(of: block, in: data)
        var bits = RiceReader(data: data, header: header, position: header.bitOffset(of: block, in: data))
        let entries = min(
            CompromisedPasswordFormat.entriesPerBlock, header.count - block * CompromisedPasswordFormat.entriesPerBlock)
        for _ in 1..<max(entries, 1) where value < wanted {
            guard let difference = bits.next() else { return false }
            value &+= difference
        }
        return value == wanted
    }
}

/// The reason why a file of compromised passwords is not usable.
package enum CompromisedPasswordFileProblem: Error, Hashable, Sendable {
    /// The file cannot be read.
    case unreadable
    /// The file is not one of `ostiary passwords prepare-list`, or of another version.
    case unknownForm
    /// The checksum differs.
    case damaged
}

/// The form of the file: a header, Rice-coded differences, an index of blocks, the number of bits, and the SHA-256 of all of it.
///
/// A hash `h` of 64 bits becomes the value `h · (count · falsePositives) / 2^64`. The values in ascending order are cut into blocks
/// of 128: the index has the first value of each and the position of its bits, and the bits have the differences to the values
/// before. All numbers are little-endian. Source: Golomb, "Run-length encodings" (1966); Rice and Plaunt (1971).
package enum CompromisedPasswordFormat {
    /// The passwords that are not on the list, of which one is taken for one that is.
    package static let falsePositives: UInt64 = 2048
    static let remainderBits = 11
    static let entriesPerBlock: UInt64 = 128
    static let magic = Array("OSTPWN01".utf8)
    static let headerBytes = 16
    static let trailerBytes = 8
    static let indexEntryBytes = 16
    static let checksumBytes = 32

    static func value(of hash: UInt64, count: UInt64) -> UInt64 {
        hash.multipliedFullWidth(by: count * falsePositives).high
    }

    static func hasValidChecksum(_ data: Data) -> Bool {
        var hasher = SHA256()
        let end = data.count - checksumBytes
        var position = 0
        while position < end {
            let next = min(position + (1 << 20), end)
            hasher.update(data: data[(data.startIndex + position)..<(data.startIndex + next)])
            position = next
        }
        return hasher.finalize().elementsEqual(data.suffix(checksumBytes))
    }

    /// The numbers at the beginning and the end of the file.
    struct Header {
        /// The number of passwords.
        let count: UInt64
        /// The number of bits of the differences.
        let bits: UInt64

        var blocks: UInt64 { (count + entriesPerBlock - 1) / entriesPerBlock }
        /// The position of the index, in bytes.
        private var indexBegin: Int { headerBytes + Int((bits + 7) / 8) }

        /// Reads a header, and compares its numbers with the size of the file.
        init(_ data: Data) throws(CompromisedPasswordFileProblem) {
            guard data.count >= headerBytes + trailerBytes + checksumBytes,
                data.prefix(magic.count).elementsEqual(magic)
            else {
                throw .unknownForm
            }
            count = data.number(at: 8)
            bits = data.number(at: data.count - checksumBytes - trailerBytes)
            // Bounded before it is multiplied: more than all passwords that were ever published.
            guard count <= 1 << 40, bits <= 1 << 48,
                data.count == indexBegin + Int(blocks) * indexEntryBytes + trailerBytes + checksumBytes
            else { throw .damaged }
        }

        func firstValue(of block: UInt64, in data: Data) -> UInt64 {
            data.number(at: indexBegin + Int(block) * indexEntryBytes)
        }

        func bitOffset(of block: UInt64, in data: Data) -> UInt64 {
            data.number(at: indexBegin + Int(block) * indexEntryBytes + 8)
        }
    }
}

/// Reads Rice-coded numbers: the quotient as ones and a zero, then the remainder, most significant bit first.
private struct RiceReader {
    let data: Data
    let header: CompromisedPasswordFormat.Header
    var position: UInt64

    mutating func next() -> UInt64? {
        var quotient: UInt64 = 0
        while true {
            guard let bit = bit() else { return nil }
            guard bit == 1 else { break }
            quotient += 1
        }
        var remainder: UInt64 = 0
        for _ in 0..<CompromisedPasswordFormat.remainderBits {
            guard let bit = bit() else { return nil }
            remainder = remainder << 1 | bit
        }
        return quotient << UInt64(CompromisedPasswordFormat.remainderBits) | remainder
    }

    private mutating func bit() -> UInt64? {
        guard position < header.bits else { return nil }
        let byte = data[data.startIndex + CompromisedPasswordFormat.headerBytes + Int(position / 8)]
        defer { position += 1 }
        return UInt64(byte >> UInt8(7 - position % 8) & 1)
    }
}

extension Data {
    /// Returns the number of 8 bytes at a position; 0 outside of the data.
    fileprivate func number(at position: Int) -> UInt64 {
        guard position >= 0, position <= count - 8 else { return 0 }
        return self[(startIndex + position)..<(startIndex + position + 8)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}

extension UInt64 {
    var littleEndianBytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: self >> UInt64(8 * $0)) } }
}
