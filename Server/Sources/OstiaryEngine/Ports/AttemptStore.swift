public import Foundation

/// Where attempts are counted.
public protocol AttemptStore: Sendable {
    /// Counts one attempt against every bucket, in a commit of its own, or against none if one of them refuses.
    ///
    /// - Returns: Nil if all allow it; else the longest wait in seconds.
    func count(_ buckets: [AttemptBucket], at now: Date) async throws -> Int?

    /// Forgets what was counted against these keys.
    func forgive(_ keys: [String]) async throws
}

/// One bucket an attempt counts against.
public struct AttemptBucket: Hashable, Sendable {
    /// Names app, operation and a keyed hash of whom or what is counted; holds no personal data.
    public var key: String
    public var limit: RateLimit

    public init(key: String, limit: RateLimit) {
        self.key = key
        self.limit = limit
    }
}
