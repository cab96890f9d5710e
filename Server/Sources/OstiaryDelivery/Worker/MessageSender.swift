/// Delivers a complete message to its recipient over one channel.
package protocol MessageSender: Sendable {
    /// Delivers the message; returns when the next system (mail server, SMS service or inbox) has accepted it.
    func deliver(_ message: OutgoingMessage) async throws(DeliveryFailure)
}

/// The message senders of a running worker.
package struct MessageSenders: Sendable {
    package var email: any MessageSender
    package var sms: any MessageSender

    package init(email: any MessageSender, sms: any MessageSender) {
        self.email = email
        self.sms = sms
    }
}

/// The reason that a message was not delivered. It contains nothing of the message, its recipient or another server's
/// text.
package enum DeliveryFailure: Error, Hashable, Sendable {
    /// The delivery may succeed later.
    case temporary(String)
    /// The same message will never be accepted.
    case permanent(String)
    /// The task was cancelled before the message was accepted.
    case cancelled
}
