import Foundation
import OstiaryCore

/// Sends messages that an unauthenticated caller can request: see decision 32.
extension AuthEngine {
    /// The right of a message to the part of the caps that is kept for owners: see decision 78.
    enum MessageReserve {
        /// The message of a password reset or of a device link: the way back for an owner.
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
        let capped = capBuckets(of: recipient, hasReserve: try await hasReserve(reserve, of: recipient))
        let refusal = try await ports.store.enqueue(
            message, within: buckets.compactMap(\.self) + capped.map(\.bucket), keeping: secret,
            at: ports.system.now())
        guard let refusal else {
            ports.notificationSealer.wake()
            return nil
        }
        if let hit = capped.first(where: { $0.bucket.key == refusal.key }) { await report(hit.cap, recipient) }
        return refusal.seconds
    }

    /// Sends a notice of a danger to an account. It is exempt from the caps, so that an attacker cannot use them up first; the recipient
    /// gets at most one an hour.
    func sendWarning(_ notice: NotificationContent, to recipient: Recipient) async throws {
        let message = try await ports.notificationSealer.seal(notice, to: recipient, app: app.name)
        let once = [cooldown("warning", recipient.canonical, seconds: 3600)].compactMap(\.self)
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

    /// Returns the buckets that a message counts against, shared by all apps of the server.
    private func capBuckets(
        of recipient: Recipient, hasReserve: Bool
    ) -> [(cap: MessageCap, bucket: AttemptBucket)] {
        let caps = app.messages
        func bucket(
            _ cap: MessageCap, _ name: String, _ maximum: Int, times multiple: Int = 1, _ seconds: Int
        ) -> (MessageCap, AttemptBucket) {
            let reserve = hasReserve ? 0 : MessageCaps.reserve(of: maximum) * multiple
            let limit = RateLimit(attempts: maximum * multiple, perSeconds: seconds, reserved: reserve)
            return (cap, AttemptBucket(key: sharedKey("messages-\(cap.rawValue)", name), limit: limit))
        }
        var buckets = [
            bucket(.recipientDay, recipient.canonical, caps.perRecipientDay, 86_400),
            bucket(.serverHour, "", caps.perServerHour, 3600),
        ]
        if case .phoneNumber(let number) = recipient {
            let prefix = String(decoding: number.e164.utf8.dropFirst().prefix(6), as: UTF8.self)
            buckets.append(bucket(.prefixHour, prefix, caps.perPrefixHour, 3600))
        }
        for (network, multiple) in caller.nestedNetworks {
            buckets.append(bucket(.networkHour, network, caps.perNetworkHour, times: multiple, 3600))
        }
        return buckets
    }

    /// Counts a suppressed message, and audits it at most once a minute: a flood must not fill the log.
    private func report(_ cap: MessageCap, _ recipient: Recipient) async {
        ports.capHits.add(cap)
        let now = ports.system.now()
        let once = AttemptBucket(key: "audit-cap/\(cap.rawValue)", limit: RateLimit(attempts: 1, perSeconds: 60))
        guard ports.inMemoryRateLimiter.count([once], at: now) == nil else { return }
        let event = AuditEvent(
            at: now, app: app.name, action: "sendMessage", outcome: "message_cap_\(cap.rawValue)",
            identifier: recipient.masked, address: caller.address, userAgent: caller.userAgent)
        do { try await ports.store.append(event) } catch { _ = ports.report(error) }
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
