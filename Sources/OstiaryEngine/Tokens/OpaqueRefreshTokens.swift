import Foundation
public import OstiaryCore

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// Refresh tokens that are opaque to clients: base64url of a 32-byte HMAC, the generation in 8 bytes, and the session's
/// id. In a token that is bound to a key, a zero byte and the thumbprint of the key precede the id.
///
/// The HMAC comes first, so no two tokens share a prefix.
public struct OpaqueRefreshTokens: RefreshTokens {
    private static let macBytes = 32
    private static let generationBytes = 8
    private static let thumbprintBytes = 32
    /// The mark of a bound token: no id begins with it.
    private static let boundMark: UInt8 = 0
    private static let maximumCharacters = 256

    private let key: SymmetricKey

    /// Creates the tokens of an app.
    public init(app: AppName, keyRing: KeyRing) {
        key = keyRing.key(for: .refreshTokens, app: app)
    }

    /// Returns the token that encodes the session and generation of the claims.
    public func write(_ tokenClaims: RefreshTokenClaims) -> Secret<String> {
        let content = Self.content(tokenClaims)
        return Secret(Base64URL.encode(mac(content) + content))
    }

    /// Returns the content of an authentic token; `nil` for any other.
    public func read(_ token: Secret<String>) -> RefreshTokenContent? {
        let text = token.reveal()
        guard text.utf8.count <= Self.maximumCharacters, let bytes = Base64URL.decode(text.utf8),
            bytes.count > Self.macBytes + Self.generationBytes
        else { return nil }
        let content = Array(bytes[Self.macBytes...])
        guard constantTimeEqual(Array(bytes[..<Self.macBytes]), mac(content)) else { return nil }
        let generation = content[..<Self.generationBytes].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        var rest = content[Self.generationBytes...]
        var boundKey: String?
        if rest.first == Self.boundMark {
            let thumbprint = rest.dropFirst().prefix(Self.thumbprintBytes)
            guard thumbprint.count == Self.thumbprintBytes else { return nil }
            boundKey = Base64URL.encode(thumbprint)
            rest = rest.dropFirst(1 + Self.thumbprintBytes)
        }
        guard let generation = Int(exactly: generation),
            let session = try? SessionID(String(decoding: rest, as: UTF8.self))
        else { return nil }
        return RefreshTokenContent(session: session, generation: generation, boundKey: boundKey)
    }

    private static func content(_ claims: RefreshTokenClaims) -> [UInt8] {
        let generation = UInt64(bitPattern: Int64(claims.generation))
        let key = claims.boundKey.flatMap { Base64URL.decode($0.utf8) }.map { [boundMark] + $0 } ?? []
        return (0..<generationBytes).reversed().map { UInt8(truncatingIfNeeded: generation >> ($0 * 8)) } + key
            + Array(claims.session.text.utf8)
    }

    private func mac(_ content: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: content, using: key))
    }
}
