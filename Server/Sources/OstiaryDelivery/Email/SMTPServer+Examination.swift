import Foundation
import OstiaryCore
import OstiaryCurl

extension SMTPServer {
    /// The outcome of a connection without a mail.
    package enum Reachability: Hashable, Sendable {
        case ready
        case noSuchName, unreachable, timedOut, withoutTLS, untrusted, loginRefused
        /// libcurl's description of another failure.
        case failed(String)
    }

    /// `true` if the connection is encrypted before the login.
    package var isEncrypted: Bool { requiresStartTLS || origin.hasPrefix("smtps:") }

    /// Connects as a delivery does, logs in, and sends no mail.
    ///
    /// - Parameter from: The sender, whose domain is the name of this client.
    package func examine(from: Mailbox, within milliseconds: Int = 5000) async -> Reachability {
        await withCheckedContinuation { continuation in
            // libcurl blocks, and a thread of the cooperative pool must not.
            Thread.detachNewThread { continuation.resume(returning: connect(from: from, within: milliseconds)) }
        }
    }

    private func connect(from: Mailbox, within milliseconds: Int) -> Reachability {
        let name = from.address.text.drop { $0 != "@" }.dropFirst()
        let url = strdup("\(origin)/\(name)")
        let username = self.username.flatMap { strdup($0) }
        let password = self.password.flatMap { strdup($0.reveal()) }
        let authorities = certificateAuthorities.flatMap { strdup($0) }
        defer { for copy in [url, username, password, authorities] { free(copy) } }
        var mail = ostiary_mail()
        mail.url = UnsafePointer(url)
        mail.username = UnsafePointer(username)
        mail.password = UnsafePointer(password)
        mail.requires_tls = requiresStartTLS
        mail.certificate_authorities = UnsafePointer(authorities)
        mail.connect_timeout_milliseconds = milliseconds
        mail.timeout_milliseconds = milliseconds
        let result = ostiary_mail_examine(&mail)
        switch result.outcome {
        case OSTIARY_MAIL_READY: return .ready
        case OSTIARY_MAIL_UNRESOLVED: return .noSuchName
        case OSTIARY_MAIL_UNREACHABLE: return .unreachable
        case OSTIARY_MAIL_TIMED_OUT: return .timedOut
        case OSTIARY_MAIL_WITHOUT_TLS: return .withoutTLS
        case OSTIARY_MAIL_UNTRUSTED: return .untrusted
        case OSTIARY_MAIL_LOGIN_REFUSED: return .loginRefused
        default: return .failed(result.reason.map { String(cString: $0) } ?? "unknown")
        }
    }
}
