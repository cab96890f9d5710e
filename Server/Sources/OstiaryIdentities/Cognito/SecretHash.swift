import Crypto
import Foundation
import OstiaryCore

/// The proof that an app client with a secret knows it.
///
/// Source: AWS, Amazon Cognito Developer Guide, "Computing secret hash values".
enum SecretHash {
    /// Computes the hash.
    ///
    /// - Parameter username: The username in the request; for a renewal, which sends none, the pool's own username.
    /// - Returns: HMAC-SHA256 of username and client id in standard base64, keyed with the secret.
    static func make(username: String, clientID: String, clientSecret: Secret<String>) -> Secret<String> {
        let key = SymmetricKey(data: Array(clientSecret.reveal().utf8))
        let code = HMAC<SHA256>.authenticationCode(for: Array((username + clientID).utf8), using: key)
        return Secret(Data(code).base64EncodedString())
    }
}
