import Crypto
import Foundation
import OstiaryEngine
import Synchronization

/// A cache of verified tokens, so that the next request with one of them costs a hash and a lookup.
///
/// Keyed by the SHA-256 of the token: no usable token is held in memory. The caller still checks the expiry and the
/// key.
final class VerifiedTokenCache: Sendable {
    struct Entry: Sendable {
        var tokenClaims: AccessTokenClaims
        /// The key that signed the token; nil where the app has only one.
        var kid: String?
    }

    /// Two generations: the newer half replaces the older half, whose entries are evicted all at once, when it is full, its
    /// first token has expired or ``lifetime`` has passed. An entry that is used moves back into the newer half.
    private struct Generations {
        var newer: [TokenDigest: Entry] = [:]
        var older: [TokenDigest: Entry] = [:]
        private var newerEnds = Date.distantFuture

        /// - Returns: The evicted entries, which the caller releases outside the lock.
        mutating func insert(
            _ entry: Entry, for digest: TokenDigest, limit: Int, at now: Date
        ) -> [TokenDigest: Entry] {
            if newer.isEmpty {
                newerEnds = min(entry.tokenClaims.expiresAt, now.addingTimeInterval(VerifiedTokenCache.lifetime))
            }
            newer[digest] = entry
            guard newer.count >= limit || now >= newerEnds else { return [:] }
            let gone = older
            older = newer
            newer = [:]
            return gone
        }
    }

    /// In seconds. Memory is for tokens that are in use.
    static let lifetime: TimeInterval = 300
    private let halves = Mutex(Generations())
    private let halfLimit: Int

    /// - Parameter capacity: The maximum number of cached tokens.
    init(capacity: Int = 50_000) { halfLimit = max(1, capacity / 2) }

    func entry(for digest: TokenDigest, at now: Date) -> Entry? {
        let (entry, gone): (Entry?, [TokenDigest: Entry]) = halves.withLock { halves in
            if let entry = halves.newer[digest] { return (entry, [:]) }
            guard let entry = halves.older.removeValue(forKey: digest) else { return (nil, [:]) }
            return (entry, halves.insert(entry, for: digest, limit: halfLimit, at: now))
        }
        _ = consume gone
        return entry
    }

    func insert(_ entry: Entry, for digest: TokenDigest, at now: Date) {
        _ = halves.withLock { $0.insert(entry, for: digest, limit: halfLimit, at: now) }
    }

    func remove(_ digest: TokenDigest) {
        halves.withLock { halves in
            halves.newer[digest] = nil
            halves.older[digest] = nil
        }
    }

    var count: Int { halves.withLock { $0.newer.count + $0.older.count } }
}

/// The SHA-256 of a token.
struct TokenDigest: Hashable, Sendable {
    private let words: (UInt64, UInt64, UInt64, UInt64)

    init(_ token: String) {
        var token = token
        var sha = SHA256()
        token.withUTF8 { sha.update(bufferPointer: UnsafeRawBufferPointer($0)) }
        words = sha.finalize().withUnsafeBytes { $0.loadUnaligned(as: (UInt64, UInt64, UInt64, UInt64).self) }
    }

    static func == (one: TokenDigest, other: TokenDigest) -> Bool { one.words == other.words }

    func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
}
