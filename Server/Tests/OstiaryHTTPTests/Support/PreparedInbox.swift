import OstiaryHTTP
import Synchronization

/// A development inbox with messages that a test provides.
final class PreparedInbox: Inbox {
    private let held: Mutex<[InboxMessage]>
    private let asked = Mutex<[String]>([])

    init(_ messages: [InboxMessage]) { held = Mutex(messages) }

    /// The filters of the requests, one text each.
    var filters: [String] { asked.withLock { $0 } }
    var count: Int { held.withLock { $0.count } }

    func messages(app: String?, to recipient: String?) async -> [InboxMessage] {
        asked.withLock { $0.append("\(app ?? "any") to \(recipient ?? "anyone")") }
        return held.withLock { $0 }
    }

    func empty() async { held.withLock { $0 = [] } }

    static let code = InboxMessage(
        id: "m2", app: "barqnet", channel: "sms", to: "+15551234567", subject: nil, text: "123456 is your code.",
        code: "123456", link: nil, sentAt: "2027-01-15T08:00:00Z")
    static let reset = InboxMessage(
        id: "m1", app: "vici", channel: "email", to: "jo@example.com", subject: "<b>New</b> & \"old\"",
        text: "<script>alert('1')</script>", code: nil, link: "https://auth.example.com/vici/reset-password?token=t",
        sentAt: "2027-01-15T07:59:00Z")
}
