package import OstiaryCore

/// Which user pool of AWS Cognito checks passwords, and as which of its app clients we ask.
///
/// The app client has to allow `ALLOW_USER_PASSWORD_AUTH`, and `ALLOW_REFRESH_TOKEN_AUTH` unless it rotates refresh tokens.
/// The pool must not remember devices: it would refuse every renewal.
package struct CognitoSettings: Hashable, Sendable {
    /// For example `us-east-1`.
    package var region: String
    /// For example `us-east-1_AbCdEfGhI`.
    package var userPoolID: String
    package var clientID: String
    /// Nil for an app client without one.
    package var clientSecret: Secret<String>?
    /// Instead of the region's own, for example a stand-in of tests. What tokens name as their issuer stays the same.
    package var endpoint: String?
    /// See ``PasswordAuthority/migratesPasswords``.
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

    /// Where requests go to.
    var url: String { endpoint ?? "https://\(host)/" }

    /// The `iss` of the pool's tokens.
    var issuer: String { "https://\(host)/\(userPoolID)" }

    private var host: String {
        // China is a partition of its own.
        "cognito-idp.\(region).amazonaws.com\(region.hasPrefix("cn-") ? ".cn" : "")"
    }
}
