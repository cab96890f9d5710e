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

    /// Runs `body` with carriers whose connections are closed when it returns.
    package func withCarriers(_ body: @Sendable (Carriers) async -> Void) async throws {
        let mail: any Carrier =
            switch email {
            case .smtp(let server, let from): SMTPCarrier(server: server, from: from)
            case .inbox: InboxCarrier(inbox: inbox)
            }
        switch sms {
        case .inbox: await body(Carriers(email: mail, sms: InboxCarrier(inbox: inbox)))
        case .twilio(let account):
            try await SMSGateway.withGateway { gateway in
                await body(Carriers(email: mail, sms: TwilioCarrier(account: account, gateway: gateway)))
            }
        case .webhook(let webhook):
            try await SMSGateway.withGateway { gateway in
                await body(Carriers(email: mail, sms: WebhookCarrier(webhook: webhook, gateway: gateway)))
            }
        }
    }
}
