import Foundation
import OstiaryCore

/// Where a server's email goes.
package enum EmailDelivery: Sendable {
    case smtp(SMTPServer, from: Mailbox)
    /// The development inbox.
    case inbox
}

/// A mail server that takes our email, and how it is reached.
package struct SMTPServer: Sendable {
    /// Scheme, host and port, as they stand in a URL.
    package let origin: String
    let username: String?
    let password: Secret<String>?
    /// Whether a plain connection is upgraded by STARTTLS before anything is said on it.
    package let requiresStartTLS: Bool
    let certificateAuthorities: String?
    var connectTimeoutMilliseconds = 10_000
    /// For one email, the connection included.
    package var timeoutMilliseconds = 25_000

    /// - Parameters:
    ///   - url: `smtps://user:password@host:465` for TLS from the first byte, or `smtp://user:password@host:587`, which
    ///     asks for STARTTLS and goes no further without, except on loopback. User and password are percent-encoded;
    ///     both may be left out. The ports are the defaults (RFC 8314 §3.3 and RFC 6409 §3.1).
    ///   - certificateAuthorities: A PEM file of the only authorities to trust; nil for the system's.
    ///   - requiresTLSOnLoopback: Asks for STARTTLS even there.
    package init(
        url: String, certificateAuthorities: String? = nil, requiresTLSOnLoopback: Bool = false
    ) throws(InvalidDeliverySetting) {
        let form = InvalidDeliverySetting("must be a URL like smtps://user:password@mail.example.com:465")
        guard url.isOneLine, let parts = URLComponents(string: url), let scheme = parts.scheme?.lowercased(),
            scheme == "smtp" || scheme == "smtps", let host = parts.encodedHost, !host.isEmpty,
            parts.path.isEmpty || parts.path == "/", parts.query == nil, parts.fragment == nil
        else { throw form }
        let username = parts.percentEncodedUser?.removingPercentEncoding
        let password = parts.percentEncodedPassword?.removingPercentEncoding
        guard username?.isOneLine != false, password?.isOneLine != false, (username == nil) == (password == nil) else {
            throw InvalidDeliverySetting("must have a user and a password, both percent-encoded, or neither")
        }
        origin = "\(scheme)://\(host):\(parts.port ?? (scheme == "smtps" ? 465 : 587))"
        self.username = username
        self.password = password.map(Secret.init)
        requiresStartTLS = scheme == "smtp" && (requiresTLSOnLoopback || !isLoopback(host))
        self.certificateAuthorities = certificateAuthorities
    }
}
