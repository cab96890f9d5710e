import Foundation
public import OstiaryCore

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// Refresh tokens that are opaque to clients: base64url of a 32-byte HMAC, the generation in 8 bytes, and the session's
/// id.
///
/// The HMAC comes first, so no two tokens share a prefix.
public struct OpaqueRefreshTokens: RefreshTokens {
    private static let macBytes = 32
    private static let generationBytes = 8
    private static let maximumCharacters = 256

    private let key: SymmetricKey

    /// Creates the tokens of an app.
    public init(app: AppName, keyRing: KeyRing) {
        key = keyRing.key(for: .refreshTokens, app: app)
    }

    /// Returns the token that encodes the session and generation of the claims.
    public func write(_ tokenClaims: RefreshTokenClaims) -> Secret<String> {
        let content = Self.content(session: tokenClaims.session, generation: tokenClaims.generation)
        return Secret(Base64URL.encode(mac(content) + content))
    }

    /// Returns the session and generation of an authentic token; `nil` for any other.
    public func read(_ token: Secret<String>) -> (session: SessionID, generation: Int)? {
        let text = token.reveal()
        guard text.utf8.count <= Self.maximumCharacters, let bytes = Base64URL.decode(text.utf8),
            bytes.count > Self.macBytes + Self.generationBytes
        else { return nil }
        let content = Array(bytes[Self.macBytes...])
        guard constantTimeEqual(Array(bytes[..<Self.macBytes]), mac(content)) else { return nil }
        let generation = content[..<Self.generationBytes].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard let generation = Int(exactly: generation),
            let session = try? SessionID(String(decoding: content[Self.generationBytes...], as: UTF8.self))
        else { return nil }
        return (session, generation)
    }

    private static func content(session: SessionID, generation: Int) -> [UInt8] {
        let generation = UInt64(bitPattern: Int64(generation))
        return (0..<generationBytes).reversed().map { UInt8(truncatingIfNeeded: generation >> ($0 * 8)) }
            + Array(session.text.utf8)
    }

    private func mac(_ content: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: content, using: key))
    }
}
