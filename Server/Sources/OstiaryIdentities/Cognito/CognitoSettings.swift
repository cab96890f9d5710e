package import OstiaryCore

/// The user pool of AWS Cognito that checks passwords, and the app client that this server uses.
///
/// The app client has to allow `ALLOW_USER_PASSWORD_AUTH`, and `ALLOW_REFRESH_TOKEN_AUTH` unless it rotates refresh
/// tokens. The pool must not remember devices: it would refuse every renewal.
package struct CognitoSettings: Hashable, Sendable {
    /// For example `us-east-1`.
    package var region: String
    /// For example `us-east-1_AbCdEfGhI`.
    package var userPoolID: String
    package var clientID: String
    /// Nil for a public app client.
    package var clientSecret: Secret<String>?
    /// The URL to use instead of the region's own, for example of an emulator in tests. The issuer of tokens stays the
    /// same.
    package var endpoint: String?
    /// See ``ExternalCredentialProvider/migratesPasswords``.
    package var migratesPasswords: Bool

    package init(
        region: String, userPoolID: String, clientID: String, clientSecret: Secret<String>? = nil,
        endpoint: String? = nil, migratesPasswords: Bool = false
    ) {
        self.region = region
        self.userPoolID = userPoolID
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.endpoint = endpoint
        self.migratesPasswords = migratesPasswords
    }

    /// The URL that requests are sent to.
    var url: String { endpoint ?? "https://\(host)/" }

    /// The `iss` of the pool's tokens.
    var issuer: String { "https://\(host)/\(userPoolID)" }

    private var host: String {
        // The regions in China have a domain of their own.
        "cognito-idp.\(region).amazonaws.com\(region.hasPrefix("cn-") ? ".cn" : "")"
    }
}
