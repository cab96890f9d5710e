extension SystemDependencies {
    /// Returns a string of so many random bytes, which is infeasible to guess.
    func randomToken(bytes: Int) -> String { randomBytes(bytes).base64URL }

    /// Returns 127 random bits as base64url. The first bit is zero, so that the first character is a letter: commands
    /// would parse an id that begins with `-` as an option.
    public func randomSessionID() -> String {
        var bytes = randomBytes(16)
        if let first = bytes.first { bytes[0] = first & 0x7F }
        return bytes.base64URL
    }

    /// Returns digits of equal probability: bytes from 250 on would favour small digits and are drawn again.
    func randomDigits(_ count: Int) -> String {
        var digits = ""
        while digits.utf8.count < count {
            for byte in randomBytes(count) where byte < 250 && digits.utf8.count < count { digits += String(byte % 10) }
        }
        return digits
    }
}
