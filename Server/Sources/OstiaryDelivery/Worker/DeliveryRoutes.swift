import AsyncHTTPClient

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

    /// Runs `body` with message senders whose connections are closed when it returns.
    package func withSenders(_ body: @Sendable (MessageSenders) async -> Void) async throws {
        let mail: any MessageSender =
            switch email {
            case .smtp(let server, let from): SMTPSender(server: server, from: from)
            case .inbox: InboxSender(inbox: inbox)
            }
        switch sms {
        case .inbox: await body(MessageSenders(email: mail, sms: InboxSender(inbox: inbox)))
        case .twilio(let account):
            try await SMSGateway.withGateway { gateway in
                await body(MessageSenders(email: mail, sms: TwilioSender(account: account, gateway: gateway)))
            }
        case .webhook(let webhook):
            try await SMSGateway.withGateway { gateway in
                await body(MessageSenders(email: mail, sms: WebhookSender(webhook: webhook, gateway: gateway)))
            }
        }
    }
}
