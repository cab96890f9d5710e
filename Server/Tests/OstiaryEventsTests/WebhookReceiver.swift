import Crypto
import Foundation

/// Verifies the requests of one endpoint.
struct WebhookReceiver {
    /// The bytes after `whsec_`, decoded from base64.
    let key: SymmetricKey

    init?(secret: String) {
        guard secret.hasPrefix("whsec_"), let key = Data(base64Encoded: String(secret.dropFirst(6))) else { return nil }
        self.key = SymmetricKey(data: key)
    }

    /// Returns true for a request that the server signed within the last five minutes.
    func accepts(body: Data, id: String, timestamp: String, signature: String, now: Date = .now) -> Bool {
        guard let seconds = TimeInterval(timestamp), abs(now.timeIntervalSince1970 - seconds) <= 300 else {
            return false
        }
        let signed = Data("\(id).\(timestamp).".utf8) + body
        return signature.split(separator: " ").contains { part in
            guard part.hasPrefix("v1,"), let code = Data(base64Encoded: String(part.dropFirst(3))) else { return false }
            return HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: signed, using: key)
        }
    }
}
