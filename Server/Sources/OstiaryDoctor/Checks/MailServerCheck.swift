/// The mail server accepts this server, by TLS.
package struct MailServerCheck: DoctorCheck {
    package static let name = "smtp"

    /// Scheme, host and port.
    let server: String
    let state: MailServerState
    /// `true` for a mail server on this machine.
    let isLoopback: Bool

    package init(server: String, state: MailServerState, isLoopback: Bool) {
        self.server = server
        self.state = state
        self.isLoopback = isLoopback
    }

    package func findings() -> [DoctorFinding] { [finding] }

    private var finding: DoctorFinding {
        switch state {
        case .ready(isEncrypted: true): ok("The mail server accepts the login by TLS.", subject: server)
        case .ready(isEncrypted: false):
            isLoopback
                ? ok("The mail server on this machine accepts the login.", subject: server)
                : warning(
                    "smtp_plain", "The connection to the mail server is not encrypted.", subject: server,
                    remedy: "Use smtps://, or smtp:// to a server with STARTTLS.")
        case .noSuchName:
            error(
                "smtp_unresolved", "The name of the mail server does not exist.", subject: server,
                remedy: "Correct email.url.")
        case .unreachable, .timedOut:
            error(
                "smtp_unreachable", "The mail server does not accept connections.", subject: server,
                remedy: "Check host and port in email.url, and whether a firewall blocks outgoing mail.")
        case .withoutTLS:
            error(
                "smtp_without_tls", "The mail server offers no TLS at this port.", subject: server,
                remedy: "Use smtps:// with port 465 or smtp:// with port 587, whichever the provider names.")
        case .untrusted:
            error(
                "smtp_untrusted", "The certificate of the mail server is not trusted.", subject: server,
                remedy: "Use the host name that the provider names, or add its authority to the system's.")
        case .loginRefused:
            error(
                "smtp_login_refused", "The mail server refuses the user or the password.", subject: server,
                remedy: "Correct both in email.url, percent-encoded.")
        case .failed(let reason):
            error(
                "smtp_failed", "The mail server did not accept the connection: \(reason).", subject: server,
                remedy: "Look at the log of the mail server.")
        case .offline(let reason): skipped(reason, subject: server)
        }
    }
}
