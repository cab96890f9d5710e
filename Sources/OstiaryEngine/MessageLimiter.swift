import Foundation
import OstiaryCore

/// The caps on the messages of one app. Their counters are shared by all apps of a server: see decision 32.
public struct MessageLimiter: Sendable {
    let app: AppName
    let caps: MessageCaps
    let keys: KeyRing
    let audit: any AuditLog
    let hits: MessageCapHits
    let inMemoryRateLimiter: InMemoryRateLimiter
    let system: SystemDependencies
    let reportError: @Sendable (any Error) -> String

    /// A counter of messages, and the cap that it belongs to.
    public struct CappedBucket: Hashable, Sendable {
        /// The cap.
        public var cap: MessageCap
        /// The counter.
        public var bucket: AttemptBucket
    }

    /// Creates the caps of an app.
    ///
    /// - Parameters:
    ///   - hits: Counts the messages that were held back, for metrics.
    ///   - inMemoryRateLimiter: Limits the audit events of messages that were held back.
    ///   - reportError: Logs a failure of the audit log.
    public init(
        app: AppName, caps: MessageCaps, keys: KeyRing, audit: any AuditLog, hits: MessageCapHits,
        inMemoryRateLimiter: InMemoryRateLimiter, system: SystemDependencies,
        reportError: @escaping @Sendable (any Error) -> String
    ) {
        self.app = app
        self.caps = caps
        self.keys = keys
        self.audit = audit
        self.hits = hits
        self.inMemoryRateLimiter = inMemoryRateLimiter
        self.system = system
        self.reportError = reportError
    }

    /// Returns the counters of a message.
    ///
    /// - Parameters:
    ///   - networks: The networks of the caller, each with the multiple of its cap; empty for a message that no caller requested.
    ///   - hasReserve: `true` for a message that may use the part of the caps that is kept for owners.
    public func buckets(
        of recipient: Recipient, networks: [(network: String, multiple: Int)] = [], hasReserve: Bool
    ) -> [CappedBucket] {
        func bucket(
            _ cap: MessageCap, _ name: String, _ maximum: Int, times multiple: Int = 1, _ seconds: Int
        ) -> CappedBucket {
            let reserve = hasReserve ? 0 : MessageCaps.reserve(of: maximum) * multiple
            let limit = RateLimit(attempts: maximum * multiple, perSeconds: seconds, reserved: reserve)
            let key = keys.attemptKey(["shared", "messages-\(cap.rawValue)", name], app: nil)
            return CappedBucket(cap: cap, bucket: AttemptBucket(key: key, limit: limit))
        }
        var buckets = [
            bucket(.recipientDay, recipient.destination, caps.perRecipientDay, 86_400),
            bucket(.serverHour, "", caps.perServerHour, 3600),
        ]
        if case .phoneNumber(let number) = recipient {
            let prefix = String(decoding: number.e164.utf8.dropFirst().prefix(6), as: UTF8.self)
            buckets.append(bucket(.prefixHour, prefix, caps.perPrefixHour, 3600))
        }
        for (network, multiple) in networks {
            buckets.append(bucket(.networkHour, network, caps.perNetworkHour, times: multiple, 3600))
        }
        return buckets
    }

    /// Counts a message that was held back, and audits it at most once a minute and cap: a flood must not fill the log.
    ///
    /// - Parameter buckets: The counters of the message. A refusal by another limit is not reported.
    public func report(
        _ refusal: AttemptRefusal, by buckets: [CappedBucket], of recipient: Recipient,
        requestedBy caller: Caller = Caller()
    ) async {
        guard let cap = buckets.first(where: { $0.bucket.key == refusal.key })?.cap else { return }
        hits.add(cap)
        let now = system.now()
        let once = AttemptBucket(key: "audit-cap/\(cap.rawValue)", limit: RateLimit(attempts: 1, perSeconds: 60))
        guard inMemoryRateLimiter.count([once], at: now) == nil else { return }
        let event = AuditEvent(
            at: now, app: app, action: "sendMessage", outcome: "message_cap_\(cap.rawValue)",
            identifier: recipient.masked, address: caller.address, userAgent: caller.userAgent)
        do { try await audit.append(event) } catch { _ = reportError(error) }
    }
}

extension KeyRing {
    /// Returns the key of a counter in the store, from which no address or name can be read.
    func attemptKey(_ parts: [String], app: AppName?) -> String {
        Data(digest(parts, for: .attempts, app: app).prefix(18)).base64EncodedString()
    }
}
