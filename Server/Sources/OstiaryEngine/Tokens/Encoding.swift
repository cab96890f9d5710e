import Foundation
import OstiaryCore

extension [UInt8] {
    /// Base64 for URLs, without padding. Source: RFC 4648 §5.
    var base64URL: String {
        Data(self).base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }

    /// - Returns: Nil for anything but base64 for URLs without padding.
    init?(base64URL text: String) {
        let standard = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        let padding = String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: standard + padding) else { return nil }
        self.init(data)
    }
}

extension Surroundings {
    /// A string of so many random bytes that nobody can guess.
    func randomToken(bytes: Int) -> String { randomBytes(bytes).base64URL }

    /// Digits of equal probability: bytes from 250 on would favour the small ones and are drawn again.
    func randomDigits(_ count: Int) -> String {
        var digits = ""
        while digits.utf8.count < count {
            for byte in randomBytes(count) where byte < 250 && digits.utf8.count < count { digits += String(byte % 10) }
        }
        return digits
    }
}
