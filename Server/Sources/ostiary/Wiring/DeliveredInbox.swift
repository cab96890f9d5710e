import Foundation
import OstiaryDelivery
import OstiaryHTTP

/// The development inbox as the application shows it.
struct DeliveredInbox: Inbox {
    let inbox: DevelopmentInbox

    func messages(app: String?, to recipient: String?) async -> [InboxMessage] {
        await inbox.entries(app: app, to: recipient).map { entry in
            InboxMessage(
                id: entry.id, app: entry.app, channel: entry.channel.rawValue, to: entry.to, subject: entry.subject,
                text: entry.text, code: entry.code, link: entry.link, sentAt: entry.sentAt.formatted(.iso8601),
                language: entry.language)
        }
    }

    func empty() async { await inbox.removeAll() }
}
