import Crypto
package import Foundation
package import OstiaryCore
package import OstiaryEngine

/// Opaque access tokens: base64url of generation, expiry (milliseconds since 1970), session and subject, encrypted with
/// AES-256-GCM.
///
/// Two tokens of one session cannot be linked, since every token has a nonce of its own.
package struct SealedAccessTokens: AccessTokens {
    private static let numberBytes = 8
    private static let maximumCharacters = 1024

    private let key: SymmetricKey

    /// - Parameter purpose: The purpose of the tokens: those of one purpose are not valid for another.
    package init(app: AppName, keyRing: KeyRing, for purpose: KeyRing.Purpose = .browserSessions) {
        key = keyRing.key(for: purpose, app: app)
    }

    /// - Throws: The cipher's error for a key of an invalid size, which the key ring never produces.
    package func issue(_ grant: AccessTokenRequest) throws -> Secret<String> {
        let end = Int64((grant.expiresAt.timeIntervalSince1970 * 1000).rounded())
        let plain = Self.bytes(UInt64(bitPattern: Int64(grant.generation))) + Self.bytes(UInt64(bitPattern: end))
        let session = Array(grant.session.text.utf8)
        let names = [UInt8(clamping: session.count)] + session + Array(grant.subject.utf8)
        let box = try AES.GCM.seal(plain + names, using: key)
        return Secret(Base64URL.encode(Array(box.nonce) + Array(box.ciphertext) + Array(box.tag)))
    }

    package func read(_ token: Secret<String>, at now: Date) -> AccessTokenClaims? {
        let text = token.reveal()
        guard text.utf8.count <= Self.maximumCharacters, let bytes = Base64URL.decode(text.utf8),
            let box = try? AES.GCM.SealedBox(combined: bytes), let plain = try? Array(AES.GCM.open(box, using: key)),
            plain.count > 2 * Self.numberBytes,
            let names = Self.names(plain[(2 * Self.numberBytes)...]), let session = try? SessionID(names.session),
            let generation = Int(exactly: Self.number(plain[..<Self.numberBytes]))
        else { return nil }
        let end = Int64(bitPattern: Self.number(plain[Self.numberBytes..<(2 * Self.numberBytes)]))
        let expiresAt = Date(timeIntervalSince1970: Double(end) / 1000)
        guard now < expiresAt else { return nil }
        return AccessTokenClaims(
            subject: names.subject, session: session, generation: generation, expiresAt: expiresAt)
    }

    /// Returns session and subject; the first byte is the length of the session's id.
    private static func names(_ bytes: ArraySlice<UInt8>) -> (session: String, subject: String)? {
        guard let length = bytes.first, bytes.count > Int(length) else { return nil }
        let session = bytes.dropFirst().prefix(Int(length))
        let subject = bytes[session.endIndex...]
        return (String(decoding: session, as: UTF8.self), String(decoding: subject, as: UTF8.self))
    }

    private static func bytes(_ number: UInt64) -> [UInt8] {
        (0..<numberBytes).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
