import Foundation

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// Signs a body as the reference library's example is signed.
enum Signer {
    static func signature(of body: String, secret: String) -> String {
        let key = SymmetricKey(data: Data(base64Encoded: String(secret.dropFirst("whsec_".utf8.count))) ?? Data())
        let content = "msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330." + body
        return "v1," + Data(HMAC<SHA256>.authenticationCode(for: Data(content.utf8), using: key)).base64EncodedString()
    }
}
