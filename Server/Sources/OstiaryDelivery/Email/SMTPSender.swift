import Foundation
import OstiaryCore
import OstiaryCurl
import OstiaryEngine
import Synchronization

/// Sends emails through a mail server.
package struct SMTPSender: MessageSender {
    private let server: SMTPServer
    private let from: Mailbox

    package init(server: SMTPServer, from: Mailbox) {
        self.server = server
        self.from = from
    }

    package func deliver(_ message: OutgoingMessage) async throws(DeliveryFailure) {
        guard case .email(let address) = message.recipient else { throw .permanent("it is not for an email address") }
        let recipient = address.withASCIIDomain
        let mail = MailMessage(
            id: message.id, from: from, to: recipient, subject: message.subject ?? "", text: message.text,
            language: message.language, date: message.sentAt)
        guard let bytes = try? mail.bytes() else { throw .permanent("its headers are unsafe") }

        let transfer = SMTPTransfer(server: server, from: from.address.text, recipient: recipient.text, message: bytes)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // libcurl blocks, and a thread of the cooperative pool must not.
                Thread.detachNewThread { continuation.resume(returning: transfer.perform()) }
            }
        } onCancel: {
            transfer.cancel()
        }
        switch result.outcome {
        case OSTIARY_MAIL_ACCEPTED: return
        case OSTIARY_MAIL_CANCELLED: throw .cancelled
        case OSTIARY_MAIL_WITHOUT_UTF8:
            throw .permanent("the mail server does not support addresses beyond ASCII (SMTPUTF8)")
        // 530 to 539 concern this server's credentials (RFC 4954 §6), which the operator can correct before the email
        // expires.
        case OSTIARY_MAIL_REFUSED where (500...529).contains(result.status) || (540...599).contains(result.status):
            throw .permanent("the mail server refused it: SMTP \(result.status)")
        default:
            throw .temporary(result.status >= 400 ? "\(result.reason): SMTP \(result.status)" : result.reason)
        }
    }
}

/// A blocking transfer that can be cancelled from another thread.
private final class SMTPTransfer: Sendable {
    struct Result: Sendable {
        var outcome: ostiary_mail_outcome
        var status: Int
        var reason: String
    }

    private let server: SMTPServer
    private let from: String
    private let recipient: String
    private let message: [UInt8]
    private let cancelled = Atomic(false)

    init(server: SMTPServer, from: String, recipient: String, message: [UInt8]) {
        self.server = server
        self.from = from
        self.recipient = recipient
        self.message = message
    }

    func cancel() { cancelled.store(true, ordering: .relaxed) }

    func perform() -> Result {
        // libcurl sends the path in EHLO; mail servers expect a name with a dot in it there.
        let name = from.drop { $0 != "@" }.dropFirst()
        let url = strdup("\(server.origin)/\(name)")
        let username = server.username.flatMap { strdup($0) }
        let password = server.password.flatMap { strdup($0.reveal()) }
        let sender = strdup(from)
        let receiver = strdup(recipient)
        let authorities = server.certificateAuthorities.flatMap { strdup($0) }
        defer { for copy in [url, username, password, sender, receiver, authorities] { free(copy) } }

        return message.withUnsafeBufferPointer { bytes in
            var mail = ostiary_mail()
            mail.url = UnsafePointer(url)
            mail.username = UnsafePointer(username)
            mail.password = UnsafePointer(password)
            mail.from = UnsafePointer(sender)
            mail.recipient = UnsafePointer(receiver)
            // The sender is ASCII, see ``Mailbox``, and other headers are encoded.
            mail.requires_utf8 = recipient.utf8.contains { $0 >= 0x80 }
            mail.requires_tls = server.requiresStartTLS
            mail.certificate_authorities = UnsafePointer(authorities)
            mail.connect_timeout_milliseconds = server.connectTimeoutMilliseconds
            mail.timeout_milliseconds = server.timeoutMilliseconds
            mail.message = bytes.baseAddress
            mail.message_length = bytes.count
            mail.is_cancelled = { context in
                guard let context else { return false }
                return Unmanaged<SMTPTransfer>.fromOpaque(context).takeUnretainedValue().cancelled.load(
                    ordering: .relaxed)
            }
            // Unretained: this call outlives the transfer, and `self` outlives this call.
            mail.context = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
            let result = ostiary_mail_send(&mail)
            return Result(
                outcome: result.outcome, status: result.status, reason: result.reason.map { String(cString: $0) } ?? "")
        }
    }
}
