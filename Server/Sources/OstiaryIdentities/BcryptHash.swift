import OstiaryCore
import OstiaryEngine

/// A stored bcrypt hash in `crypt(3)` form, such as `$2b$10$…`: 60 characters, `$2a$`, `$2b$` or `$2y$`.
///
/// `$2x$`, which marks hashes of an implementation with a known defect, is refused.
package struct BcryptHash: Hashable, Sendable {
    /// The supported costs. Above, one check would take seconds; bcrypt defines none below 4.
    static let costs = 4...16
    /// The number of password bytes that bcrypt uses. Source: bcrypt's key schedule takes 18 words.
    static let maximumPasswordBytes = PasswordRule.maximumBytes

    let text: String
    /// The base-2 logarithm of the number of rounds.
    package let cost: Int

    /// Returns `true` if a hash of another system can be imported.
    package static func isImportable(_ text: String) -> Bool { BcryptHash(text) != nil }

    /// Creates a hash from its text; nil for anything that is not a complete hash with a supported cost.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 60, bytes.starts(with: "$2".utf8), "aby".utf8.contains(bytes[2]),
            bytes[3] == UInt8(ascii: "$"), bytes[6] == UInt8(ascii: "$"),
            let tens = digit(bytes[4]), let ones = digit(bytes[5]), Self.costs.contains(tens * 10 + ones),
            bytes[7...].allSatisfy(isBcryptBase64)
        else { return nil }
        self.text = text
        self.cost = tens * 10 + ones
    }

    /// Returns `true` if both hashes, of the same salt and cost, derive from the same password.
    func equals(_ other: BcryptHash) -> Bool {
        // The 31 characters after version, cost and salt: those are inputs, and the salt's encoding has bits that
        // bcrypt ignores.
        constantTimeEqual(Array(text.utf8.dropFirst(29)), Array(other.text.utf8.dropFirst(29)))
    }
}

private func digit(_ byte: UInt8) -> Int? {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) ? Int(byte - UInt8(ascii: "0")) : nil
}

private func isBcryptBase64(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: ".")...UInt8(ascii: "9"):  // dot, slash, digits
        true
    default: false
    }
}
