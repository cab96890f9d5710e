import OstiaryCore
import OstiaryEngine

/// Stores messages in the development inbox.
package struct InboxSender: MessageSender {
    private let inbox: DevelopmentInbox

    package init(inbox: DevelopmentInbox) { self.inbox = inbox }

    package func deliver(_ message: OutgoingMessage) async throws(DeliveryFailure) {
        let (channel, to): (InboxEntry.Channel, String) =
            switch message.recipient {
            case .email(let address): (.email, address.text)
            case .phoneNumber(let number): (.sms, number.e164)
            }
        await inbox.keep(
            InboxEntry(
                id: message.id, app: message.app.text, channel: channel, to: to, subject: message.subject,
                text: message.text.reveal(), code: message.code?.reveal(), link: message.link?.reveal(),
                sentAt: message.sentAt, language: message.language))
    }
}
