import Foundation
import OstiaryCore

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// The keys that sessions sign their requests with: derived from the session's id, so that nothing is stored, and every node
/// has the same one. Nothing in them rotates: a refresh leaves them as they are.
struct RequestSigningKeys {
    let keys: KeyRing
    let app: AppName

    func key(of session: SessionID) -> RequestSigningKey {
        RequestSigningKey(
            id: Array(digest("id", session).prefix(12)).base64URL, secret: Secret(digest("key", session)))
    }

    /// Whether `signature` is the session's HMAC-SHA256 of `base`, in time that does not tell how nearly.
    func verifies(_ signature: [UInt8], of base: [UInt8], by session: SessionID) -> Bool {
        let key = SymmetricKey(data: digest("key", session))
        return constantTimeEqual(Array(HMAC<SHA256>.authenticationCode(for: base, using: key)), signature)
    }

    /// What is kept of a nonce.
    func hash(_ nonce: String, of session: SessionID) -> [UInt8] {
        keys.digest(["nonce", session.text, nonce], for: .requestSigning, app: app)
    }

    private func digest(_ what: String, _ session: SessionID) -> [UInt8] {
        keys.digest([what, session.text], for: .requestSigning, app: app)
    }
}
