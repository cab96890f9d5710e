import Foundation
import OstiaryCore
import OstiaryEngine

/// The destination of a server's email.
package enum EmailDelivery: Sendable {
    case smtp(SMTPServer, from: Mailbox)
    /// The development inbox.
    case inbox
}

/// A mail server for outgoing email, with its connection parameters.
package struct SMTPServer: Sendable {
    /// Scheme, host and port, as in a URL.
    package let origin: String
    let username: String?
    let password: Secret<String>?
    /// `true` if a plain connection has to be upgraded with STARTTLS before credentials or messages are sent.
    package let requiresStartTLS: Bool
    let certificateAuthorities: String?
    var connectTimeoutMilliseconds = 10_000
    /// The time limit for one email, the connection included, in milliseconds.
    package var timeoutMilliseconds = 25_000

    /// Parses and validates the server's URL.
    ///
    /// - Parameters:
    ///   - url: `smtps://user:password@host:465` for TLS from the first byte, or `smtp://user:password@host:587`, which
    ///     requires STARTTLS, except on loopback. User and password are percent-encoded; both may be omitted. The ports
    ///     are the defaults (RFC 8314 §3.3 and RFC 6409 §3.1).
    ///   - certificateAuthorities: A PEM file of the only authorities to trust; nil for the system's.
    ///   - requiresTLSOnLoopback: `true` to require STARTTLS on loopback too.
    /// - Throws: ``InvalidDeliverySetting`` if the URL has another form, or only one of user and password.
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
        requiresStartTLS = scheme == "smtp" && (requiresTLSOnLoopback || !IPAddress.isLoopback(host: host))
        self.certificateAuthorities = certificateAuthorities
    }
}
