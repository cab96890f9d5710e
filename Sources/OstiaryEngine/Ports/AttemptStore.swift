public import Foundation

/// Counts attempts, and keeps the networks that accounts signed in from.
public protocol AttemptStore: Sendable {
    /// Counts one attempt against every bucket, in a commit of its own, or against none if one of them refuses.
    ///
    /// - Returns: Nil if all allow it; else the longest wait in seconds.
    func count(_ buckets: [AttemptBucket], at now: Date) async throws -> Int?

    /// Takes back what a successful attempt counted, and remembers its network, in one commit.
    func forgive(_ forgiveness: Forgiveness, at now: Date) async throws

    /// Returns `true` if the network was remembered and has not expired at `now`.
    func isKnown(_ network: KnownNetwork, at now: Date) async throws -> Bool

    /// Forgets every network that was remembered for a subject.
    func forgetNetworks(of subject: [UInt8]) async throws
}

/// One bucket an attempt counts against.
public struct AttemptBucket: Hashable, Sendable {
    /// Names app, operation and a keyed hash of whom or what is counted; holds no personal data.
    public var key: String
    public var rule: AttemptRule

    public init(key: String, limit: RateLimit) {
        self.key = key
        rule = .limit(limit)
    }

    public init(key: String, waits: RisingWaits) {
        self.key = key
        rule = .waits(waits)
    }

    /// How much earlier the bucket is full once an attempt is given back, in the unit that stores keep.
    public var refundMilliseconds: Int64 { Int64((rule.refund.seconds * 1000).rounded()) }
}

/// When a bucket allows an attempt. Pure.
public enum AttemptRule: Hashable, Sendable {
    case limit(RateLimit)
    case waits(RisingWaits)

    public enum Verdict: Hashable, Sendable {
        /// The record to keep for the next time.
        case allowed(AttemptRecord)
        case wait(seconds: Int)
    }

    /// - Parameter record: The record of the last verdict; nil for a key never seen.
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

    /// What one attempt that is given back changes: how much earlier a limit's bucket is full, in seconds, and how many
    /// failures fewer there are. A wait that has begun stays.
    public var refund: (seconds: Double, failures: Int) {
        switch self {
        case .limit(let limit): (Double(limit.seconds) / Double(limit.attempts), 0)
        case .waits: (0, 1)
        }
    }
}

/// What a store keeps of one key.
public struct AttemptRecord: Hashable, Sendable {
    /// When nothing counts any more, so that the record can be deleted.
    public var fullAt: Date
    /// Consecutive failures, for ``RisingWaits``.
    public var failures: Int
    /// When the wait after the last failure is over.
    public var nextAt: Date

    public init(fullAt: Date, failures: Int = 0, nextAt: Date = Date(timeIntervalSince1970: 0)) {
        self.fullAt = fullAt
        self.failures = failures
        self.nextAt = nextAt
    }
}

/// A bucket's refusal.
public struct AttemptRefusal: Hashable, Sendable {
    public var seconds: Int
    /// The key of the bucket with the longest wait.
    public var key: String

    public init(seconds: Int, key: String) {
        self.seconds = seconds
        self.key = key
    }
}

/// What a success takes back.
public struct Forgiveness: Hashable, Sendable {
    /// Keys whose counts are forgotten.
    public var forgotten: [String]
    /// Buckets that get back the one attempt that was counted; the rest of their counts stays.
    public var refunded: [AttemptBucket]
    /// The network to remember.
    public var network: KnownNetwork?

    public init(forgotten: [String] = [], refunded: [AttemptBucket] = [], network: KnownNetwork? = nil) {
        self.forgotten = forgotten
        self.refunded = refunded
        self.network = network
    }

    var isEmpty: Bool { forgotten.isEmpty && refunded.isEmpty && network == nil }
}

/// A network that signed in to an account, or proved a code. Both are keyed hashes.
public struct KnownNetwork: Hashable, Sendable {
    public var subject: [UInt8]
    public var network: [UInt8]
    public var expiresAt: Date

    /// The most that are kept for one subject; the ones that expire first are dropped.
    public static let limit = 16

    public init(subject: [UInt8], network: [UInt8], expiresAt: Date) {
        self.subject = subject
        self.network = network
        self.expiresAt = expiresAt
    }
}
