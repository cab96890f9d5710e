package import Foundation
import OstiaryCore

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// A time-based one-time password: HMAC-SHA-1, 6 digits, time steps of 30 s. Source: RFC 6238, RFC 4226 §5.3.
package struct TOTP: Sendable {
    /// The length of a new secret in bytes, that of the hash's output. Source: RFC 4226 §4.
    static let secretBytes = 20
    /// The length of a time step in seconds.
    static let stepSeconds = 30
    /// The number of digits of a code.
    static let digits = 6

    private let secret: SymmetricKey

    /// - Parameter secret: The key that server and authenticator share.
    package init(secret: [UInt8]) { self.secret = SymmetricKey(data: secret) }

    /// Returns the time step that contains a time: whole steps since 1970.
    package static func step(at time: Date) -> Int64 {
        Int64((time.timeIntervalSince1970 / Double(stepSeconds)).rounded(.down))
    }

    /// Returns the code of a time step.
    package func code(at step: Int64) -> String {
        let counter = withUnsafeBytes(of: step.bigEndian) { Array($0) }
        let hash = Array(HMAC<Insecure.SHA1>.authenticationCode(for: counter, using: secret))
        let offset = Int(hash[hash.count - 1] & 0x0F)
        let number = hash[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        let text = String(number % 1_000_000)
        return String(repeating: "0", count: Self.digits - text.utf8.count) + text
    }

    /// Returns the time step of a code: the current one, the one before or the one after, if it is later than the last
    /// accepted step.
    ///
    /// The caller stores the result with a compare-and-set before it accepts the code, so that no step is accepted twice,
    /// also by concurrent requests and after the clock was set back. Source: RFC 6238 §5.2.
    ///
    /// - Parameter last: The step that was accepted last; nil if none was.
    /// - Returns: Nil if the code is wrong or its step was used.
    func acceptedStep(of code: OneTimeCode, at now: Date, after last: Int64?) -> Int64? {
        let current = Self.step(at: now)
        let presented = Array(code.reveal().utf8)
        var accepted: Int64?
        // Compares with every step, so that the time does not depend on which of them matches.
        for step in [current - 1, current, current + 1] {
            let isEqual = constantTimeEqual(presented, Array(self.code(at: step).utf8))
            if isEqual, last.map({ step > $0 }) ?? true { accepted = step }
        }
        return accepted
    }

    /// Returns the URI that an authenticator app reads from a QR code.
    ///
    /// - Parameters:
    ///   - secret: The shared key.
    ///   - issuer: The name of the app, shown beside the code.
    ///   - account: The identifier of the account, shown beside the code.
    static func uri(secret: [UInt8], issuer: String, account: String) -> String {
        let label = "\(PercentEncoding.encode(issuer)):\(PercentEncoding.encode(account))"
        let parameters = [
            "secret=\(Base32.encode(secret))", "issuer=\(PercentEncoding.encode(issuer))", "algorithm=SHA1",
            "digits=\(digits)", "period=\(stepSeconds)",
        ]
        return "otpauth://totp/\(label)?\(parameters.joined(separator: "&"))"
    }
}
