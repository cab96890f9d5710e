import Foundation
import OstiaryCore

/// Sends messages that an unauthenticated caller can request: see decision 32.
extension AuthEngine {
    /// The right of a message to the part of the caps that is kept for owners: see decision 78.
    enum MessageReserve {
        /// The message of a password reset: the way back for an owner, also to a device that the account recognizes.
        case reset
        /// Any other message: only where the recipient's account recognizes the caller.
        case ifRecognized
    }

    /// Sends a message if `bucket` and the caps allow it, and keeps the secret that it carries.
    ///
    /// - Returns: `nil` if it is queued; otherwise the wait, in seconds.
    func send(
        _ notice: NotificationContent, to recipient: Recipient, within buckets: [AttemptBucket?] = [],
        keeping secret: PendingSecret? = nil, reserve: MessageReserve = .ifRecognized
    ) async throws -> Int? {
        let message = try await ports.notificationSealer.seal(notice, to: recipient, app: app.name)
        let limiter = messageLimiter
        let capped = limiter.buckets(
            of: recipient, networks: caller.nestedNetworks, hasReserve: try await hasReserve(reserve, of: recipient))
        let refusal = try await ports.store.enqueue(
            message, within: buckets.compactMap(\.self) + capped.map(\.bucket), keeping: secret,
            at: ports.system.now())
        guard let refusal else {
            ports.notificationSealer.wake()
            return nil
        }
        await limiter.report(refusal, by: capped, of: recipient, requestedBy: caller)
        return refusal.seconds
    }

    /// Sends a notice of a danger to an account. It is exempt from the caps, so that an attacker cannot use them up first; the recipient
    /// gets at most one an hour.
    func sendWarning(_ notice: NotificationContent, to recipient: Recipient) async throws {
        let message = try await ports.notificationSealer.seal(notice, to: recipient, app: app.name)
        let once = [cooldown("warning", recipient.destination, seconds: 3600)].compactMap(\.self)
        let refusal = try await ports.store.enqueue(message, within: once, keeping: nil, at: ports.system.now())
        if refusal == nil { ports.notificationSealer.wake() }
    }

    /// Checks that text messages to the number's country are allowed. Reads no store.
    ///
    /// - Throws: ``AuthError/invalid(_:_:)`` for a phone number of a country that gets no messages.
    func requireCallingCode(of number: PhoneNumber) throws(AuthError) {
        guard let codes = app.callingCodes, !codes.contains(where: { $0.covers(number) }) else { return }
        throw .invalid(.phoneNumber, .notSupported)
    }

    private func hasReserve(_ reserve: MessageReserve, of recipient: Recipient) async throws -> Bool {
        // Inside the process there is no unauthenticated caller.
        guard reserve == .ifRecognized, caller.network != nil else { return true }
        return try await recognition(of: guessSubject(of: recipient.identifier)).isRecognized
    }

    /// The caps on the messages of the app.
    public var messageLimiter: MessageLimiter {
        MessageLimiter(
            app: app.name, caps: app.messages, keys: ports.keys, audit: ports.store, hits: ports.capHits,
            inMemoryRateLimiter: ports.inMemoryRateLimiter, system: ports.system, reportError: ports.report)
    }
}

extension Recipient {
    /// A unique string for each recipient.
    var canonical: String {
        switch self {
        case .email(let email): email.canonical
        case .phoneNumber(let number): number.e164
        }
    }

    /// A string that is the same for each spelling of a mailbox: mail is sent to the A-labels of its domain.
    var destination: String {
        switch self {
        case .email(let email): email.withASCIIDomain.canonical
        case .phoneNumber: canonical
        }
    }

    /// The identifier of the account that the recipient may have.
    fileprivate var identifier: Identifier {
        switch self {
        case .email(let email): .email(email)
        case .phoneNumber(let number): .phoneNumber(number)
        }
    }
}

extension KeyRing {
    /// Returns the keyed hash under which messages to a recipient are found again.
    public func messageRecipient(_ recipient: Recipient, app: AppName) -> [UInt8] {
        digest(["message", recipient.canonical], for: .recipients, app: app)
    }
}

extension Caller {
    /// The network and, for IPv6, the wider networks that one subscriber may have, each with the multiple of the cap
    /// that holds for it.
    var nestedNetworks: [(network: String, multiple: Int)] {
        guard let network else { return [] }
        guard let address = IPAddress(String(network.prefix { $0 != "/" })), address.isIPv6 else {
            return [(network, 1)]
        }
        return [(64, 1), (56, 2), (48, 4)].map { ("\(address.prefix(bits: $0))/\($0)", $1) }
    }
}
