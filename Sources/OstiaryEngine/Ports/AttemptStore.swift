public import Foundation

/// Counts attempts, and keeps the networks that accounts signed in from.
public protocol AttemptStore: Sendable {
    /// Counts one attempt against every bucket, in a commit of its own, or against none if one of them refuses.
    ///
    /// - Returns: `nil` if every bucket allows it; otherwise the longest wait in seconds.
    func count(_ buckets: [AttemptBucket], at now: Date) async throws -> Int?

    /// Returns the record of a key, also one that has expired; `nil` if there is none. Advisory only: `count` decides.
    func attempt(_ key: String) async throws -> AttemptRecord?

    /// Returns the wait of an attempt, in seconds, without counting it; `nil` if the bucket allows one.
    func wait(for bucket: AttemptBucket, at now: Date) async throws -> Int?

    /// Reverts the counts of a successful attempt, and remembers its network, in one commit.
    func forgive(_ forgiveness: CountReversal, at now: Date) async throws

    /// Returns `true` if the network was remembered and has not expired at `now`.
    func isKnown(_ network: KnownNetwork, at now: Date) async throws -> Bool

    /// Deletes every network that was remembered for a subject.
    func forgetNetworks(of subject: [UInt8]) async throws
}

/// One rate-limit bucket that an attempt counts against.
public struct AttemptBucket: Hashable, Sendable {
    /// The app, the operation and a keyed hash of the counted subject; holds no personal data.
    public var key: String
    /// The rule that decides whether an attempt is allowed.
    public var rule: AttemptRule

    /// Creates a bucket that is refilled evenly.
    public init(key: String, limit: RateLimit) {
        self.key = key
        rule = .limit(limit)
    }

    /// Creates a bucket whose waits grow with consecutive failures.
    public init(key: String, waits: FailureBackoff) {
        self.key = key
        rule = .waits(waits)
    }

    /// The reduction of the bucket's fill time that refunds one attempt, in milliseconds, the unit that stores keep.
    public var refundMilliseconds: Int64 { Int64((rule.refund.seconds * 1000).rounded()) }
}

/// The rule of a bucket. Pure.
public enum AttemptRule: Hashable, Sendable {
    /// Limits the rate of attempts.
    case limit(RateLimit)
    /// Imposes a growing wait after consecutive failures.
    case waits(FailureBackoff)

    /// A rule's answer to one attempt.
    public enum Verdict: Hashable, Sendable {
        /// The attempt is allowed; holds the record to store.
        case allowed(AttemptRecord)
        /// The attempt is refused for so many seconds.
        case wait(seconds: Int)

        /// The wait of a refused attempt, in seconds; `nil` for an allowed one.
        public var waitSeconds: Int? { if case .wait(let seconds) = self { seconds } else { nil } }
    }

    /// Returns the verdict on one attempt at `now`.
    ///
    /// - Parameter record: The record of the last verdict; `nil` for a new key.
    public func verdict(_ record: AttemptRecord?, now: Date) -> Verdict {
        switch self {
        case .limit(let limit):
            switch limit.verdict(fullAt: record?.fullAt, now: now) {
            case .allowed(let fullAt): .allowed(AttemptRecord(fullAt: fullAt))
            case .wait(let seconds): .wait(seconds: seconds)
            }
        case .waits(let waits): waits.verdict(record, now: now)
        }
    }

    /// The effect of refunding one attempt: the reduction of a limit's fill time, in seconds, and of the number of
    /// failures. A wait that has begun remains.
    public var refund: (seconds: Double, failures: Int) {
        switch self {
        case .limit(let limit): (Double(limit.seconds) / Double(limit.attempts), 0)
        case .waits: (0, 1)
        }
    }
}

/// The stored state of one key.
public struct AttemptRecord: Hashable, Sendable {
    /// The time from which nothing counts any more, so the record can be deleted.
    public var fullAt: Date
    /// Consecutive failures, for ``FailureBackoff``.
    public var failures: Int
    /// The end of the wait after the last failure.
    public var nextAt: Date

    /// Creates a record from its parts.
    public init(fullAt: Date, failures: Int = 0, nextAt: Date = Date(timeIntervalSince1970: 0)) {
        self.fullAt = fullAt
        self.failures = failures
        self.nextAt = nextAt
    }
}

/// A bucket's refusal.
public struct AttemptRefusal: Hashable, Sendable {
    /// The wait, in seconds.
    public var seconds: Int
    /// The key of the bucket with the longest wait.
    public var key: String

    /// Creates a refusal from its parts.
    public init(seconds: Int, key: String) {
        self.seconds = seconds
        self.key = key
    }
}

/// The counts that a success reverts.
public struct CountReversal: Hashable, Sendable {
    /// Keys whose counts are deleted.
    public var forgotten: [String]
    /// Buckets that get back the one attempt that was counted; the rest of their counts remains.
    public var refunded: [AttemptBucket]
    /// The network to remember.
    public var network: KnownNetwork?

    /// Creates a set of reverted counts from its parts.
    public init(forgotten: [String] = [], refunded: [AttemptBucket] = [], network: KnownNetwork? = nil) {
        self.forgotten = forgotten
        self.refunded = refunded
        self.network = network
    }

    var isEmpty: Bool { forgotten.isEmpty && refunded.isEmpty && network == nil }
}

/// A network from which an account was signed in to, or a code was proved.
public struct KnownNetwork: Hashable, Sendable {
    /// A keyed hash of the account or recipient.
    public var subject: [UInt8]
    /// A keyed hash of the network.
    public var network: [UInt8]
    /// The time at which the network is forgotten.
    public var expiresAt: Date

    /// The maximum number of networks kept for one subject; the ones that expire first are dropped.
    public static let limit = 16

    /// Creates a known network from its parts.
    public init(subject: [UInt8], network: [UInt8], expiresAt: Date) {
        self.subject = subject
        self.network = network
        self.expiresAt = expiresAt
    }
}
