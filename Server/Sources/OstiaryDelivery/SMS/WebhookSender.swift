import Crypto
import Foundation
import OstiaryCore
import OstiaryEngine

/// Posts SMS as signed JSON to an endpoint of the operator.
package struct WebhookSender: MessageSender {
    private let webhook: SMSWebhook
    private let gateway: SMSGateway

    package init(webhook: SMSWebhook, gateway: SMSGateway) {
        self.webhook = webhook
        self.gateway = gateway
    }

    private struct Body: Encodable {
        var to: String
        var text: String
    }

    package func deliver(_ message: OutgoingMessage) async throws(DeliveryFailure) {
        guard case .phoneNumber(let number) = message.recipient else {
            throw .permanent("it is not for a phone number")
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let body = try? encoder.encode(Body(to: number.e164, text: message.text.reveal())) else {
            throw .permanent("it cannot be written as JSON")
        }
        let key = SymmetricKey(data: Data(webhook.secret.reveal().utf8))
        let signature = HMAC<SHA256>.authenticationCode(for: body, using: key).hexadecimal
        try await gateway.post(
            Array(body), to: webhook.url.absoluteString, destination: .own, contentType: "application/json",
            headers: [
                ("X-Signature", "sha256=\(signature)"),
                // The same for every attempt, so that the receiver can detect duplicates.
                ("Idempotency-Key", message.id),
            ])
    }
}
