package import Foundation
package import OstiaryCore

/// An email to one recipient, in its wire format.
///
/// Source: RFC 5322, RFC 2045; RFC 6532 for addresses beyond ASCII; RFC 3834 §5 for `Auto-Submitted`.
package struct MailMessage: Sendable {
    package var id: String
    package var from: Mailbox
    package var to: EmailAddress
    package var subject: String
    /// Lines end with `\n`.
    package var text: Secret<String>
    package var language: String
    package var date: Date

    package init(
        id: String, from: Mailbox, to: EmailAddress, subject: String, text: Secret<String>, language: String,
        date: Date
    ) {
        self.id = id
        self.from = from
        self.to = to
        self.subject = subject
        self.text = text
        self.language = language
        self.date = date
    }

    /// A header's value contains a line break or another control character (header injection).
    package struct UnsafeHeader: Error {}

    /// Returns headers, an empty line and the body, with CRLF line ends.
    ///
    /// - Throws: ``UnsafeHeader`` if a header's value is not one line.
    package func bytes() throws -> [UInt8] {
        guard [id, subject, language, from.displayName ?? "", from.address.text, to.text].allSatisfy(\.isOneLine) else {
            throw UnsafeHeader()
        }
        let name = from.displayName.map { EncodedWord.phrase($0) + " " } ?? ""
        let (encoding, body) = encodedText()
        let lines = [
            "From: \(name)<\(from.address.text)>",
            "To: <\(to.text)>",
            "Subject: \(EncodedWord.unstructured(subject))",
            "Date: \(Self.format(date))",
            "Message-ID: <\(id)@\(from.domain)>",
            "Auto-Submitted: auto-generated",
            "Content-Language: \(language)",
            "MIME-Version: 1.0",
            "Content-Type: text/plain; charset=utf-8",
            "Content-Transfer-Encoding: \(encoding)",
            "",
            body,
        ]
        return Array(lines.joined(separator: "\r\n").utf8)
    }

    /// Returns the body with its encoding: ASCII with short lines unchanged, so that the message's source is readable;
    /// anything else in base64.
    private func encodedText() -> (encoding: String, body: String) {
        let lines = text.reveal().split(separator: "\n", omittingEmptySubsequences: false)
        let body = lines.joined(separator: "\r\n")
        let isPlain = lines.allSatisfy { line in
            line.utf8.count <= 998 && line.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        }
        if isPlain { return ("7bit", body) }
        let lineEnds: Data.Base64EncodingOptions = [
            .lineLength76Characters, .endLineWithCarriageReturn, .endLineWithLineFeed,
        ]
        return ("base64", Data(body.utf8).base64EncodedString(options: lineEnds) + "\r\n")
    }

    /// Formats a date in UTC. Source: RFC 5322 §3.3.
    private static func format(_ date: Date) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss '+0000'"
        return formatter.string(from: date)
    }
}
