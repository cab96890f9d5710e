import Foundation
import OstiaryCore

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// The keys that sessions sign their requests with: derived from the session's id, so nothing is stored and every node
/// has the same key. They do not rotate: a refresh leaves them unchanged.
struct RequestSigningKeys {
    let keys: KeyRing
    let app: AppName

    func key(of session: SessionID) -> RequestSigningKey {
        RequestSigningKey(
            id: Array(digest("id", session).prefix(12)).base64URL, secret: Secret(digest("key", session)))
    }

    /// Returns `true` if `signature` is the session's HMAC-SHA256 of `base`. Compares in constant time.
    func verifies(_ signature: [UInt8], of base: [UInt8], by session: SessionID) -> Bool {
        let key = SymmetricKey(data: digest("key", session))
        return constantTimeEqual(Array(HMAC<SHA256>.authenticationCode(for: base, using: key)), signature)
    }

    /// Returns the hash under which a nonce is stored.
    func hash(_ nonce: String, of session: SessionID) -> [UInt8] {
        keys.digest(["nonce", session.text, nonce], for: .requestSigning, app: app)
    }

    private func digest(_ what: String, _ session: SessionID) -> [UInt8] {
        keys.digest([what, session.text], for: .requestSigning, app: app)
    }
}
