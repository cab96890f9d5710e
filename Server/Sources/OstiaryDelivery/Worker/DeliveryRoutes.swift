/// The destinations of a server's messages, per channel.
package struct DeliveryRoutes: Sendable {
    package var email: EmailDelivery
    package var sms: SMSDelivery
    /// The inbox for channels whose destination is the inbox.
    package var inbox: DevelopmentInbox

    package init(email: EmailDelivery, sms: SMSDelivery, inbox: DevelopmentInbox = DevelopmentInbox()) {
        self.email = email
        self.sms = sms
        self.inbox = inbox
    }

    /// The senders of messages to these destinations.
    package var senders: MessageSenders {
        let mail: any MessageSender =
            switch email {
            case .smtp(let server, let from): SMTPSender(server: server, from: from)
            case .inbox: InboxSender(inbox: inbox)
            }
        let text: any MessageSender =
            switch sms {
            case .inbox: InboxSender(inbox: inbox)
            case .twilio(let account): TwilioSender(account: account, gateway: SMSGateway())
            case .webhook(let webhook): WebhookSender(webhook: webhook, gateway: SMSGateway())
            }
        return MessageSenders(email: mail, sms: text)
    }
}
