import Crypto
import Foundation
import OstiaryCore

/// What an app client with a secret proves with that it knows it.
///
/// Source: AWS, Amazon Cognito Developer Guide, "Computing secret hash values".
enum SecretHash {
    /// - Parameter username: The one that the request sends; at a renewal, which sends none, the pool's own.
    /// - Returns: HMAC-SHA256 of username and client id in standard base64, keyed with the secret.
    static func make(username: String, clientID: String, clientSecret: Secret<String>) -> Secret<String> {
        let key = SymmetricKey(data: Array(clientSecret.reveal().utf8))
        let code = HMAC<SHA256>.authenticationCode(for: Array((username + clientID).utf8), using: key)
        return Secret(Data(code).base64EncodedString())
    }
}
