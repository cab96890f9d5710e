/// The outcome of connecting to a mail server as a delivery would, without sending a mail.
package enum MailServerState: Hashable, Sendable {
    /// It accepts the connection, and the login if there is one.
    case ready(isEncrypted: Bool)
    case noSuchName
    case unreachable
    case timedOut
    /// STARTTLS is not offered, or the port does not speak TLS.
    case withoutTLS
    case untrusted
    /// The user, the password or their mechanism is refused.
    case loginRefused
    /// libcurl's description of another failure.
    case failed(String)
    /// One sentence.
    case offline(String)
}
