extension [UInt8] {
    /// Base64 for URLs, without padding.
    var base64URL: String { Base64URL.encode(self) }
}

extension Surroundings {
    /// A string of so many random bytes that nobody can guess.
    func randomToken(bytes: Int) -> String { randomBytes(bytes).base64URL }

    /// 127 random bits as base64url. The first bit is zero, so that the first character is a letter: commands would take
    /// an id with a `-` first for an option.
    public func randomSessionID() -> String {
        var bytes = randomBytes(16)
        if let first = bytes.first { bytes[0] = first & 0x7F }
        return bytes.base64URL
    }

    /// Digits of equal probability: bytes from 250 on would favour the small ones and are drawn again.
    func randomDigits(_ count: Int) -> String {
        var digits = ""
        while digits.utf8.count < count {
            for byte in randomBytes(count) where byte < 250 && digits.utf8.count < count { digits += String(byte % 10) }
        }
        return digits
    }
}
