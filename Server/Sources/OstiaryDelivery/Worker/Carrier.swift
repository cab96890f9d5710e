/// Takes a finished message to its person over one channel.
package protocol Carrier: Sendable {
    /// Returns when the message is in the hands of whoever brings it on.
    func deliver(_ message: OutgoingMessage) async throws(DeliveryFailure)
}

/// The carriers of a running worker.
package struct Carriers: Sendable {
    package var email: any Carrier
    package var sms: any Carrier

    package init(email: any Carrier, sms: any Carrier) {
        self.email = email
        self.sms = sms
    }
}

/// Why a message was not delivered. The reasons hold nothing of the message, of its person or of a server's own words.
package enum DeliveryFailure: Error, Hashable, Sendable {
    /// Worth another try.
    case temporary(String)
    /// The same message will never be taken.
    case permanent(String)
    /// The task was cancelled first.
    case cancelled
}
