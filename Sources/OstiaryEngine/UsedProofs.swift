import Foundation
import Synchronization

/// The proofs that this node has accepted for requests with an access token, in memory.
///
/// Bounded: a full newer half replaces the older one. Only holders of a bound token and its key add entries, within the
/// limit of their account.
final class UsedProofs: Sendable {
    private struct Halves {
        var newer: Set<[UInt8]> = []
        var older: Set<[UInt8]> = []
        var startedAt = Date.distantPast
    }

    private let halves = Mutex(Halves())
    private let halfLimit: Int

    /// - Parameter capacity: The maximum number of proofs kept.
    init(capacity: Int = 1_000_000) { halfLimit = max(1, capacity / 2) }

    /// Adds a proof.
    ///
    /// - Returns: `false` if it was added before.
    func add(_ hash: [UInt8], at now: Date) -> Bool {
        halves.withLock { halves in
            let age = now.timeIntervalSince(halves.startedAt)
            if age > Double(DPoPProofPolicy.memorySeconds) || halves.newer.count >= halfLimit {
                // A half that was full long ago holds no proof that would still be accepted.
                halves.older = age > 2 * Double(DPoPProofPolicy.memorySeconds) ? [] : halves.newer
                halves.newer = []
                halves.startedAt = now
            }
            guard !halves.newer.contains(hash), !halves.older.contains(hash) else { return false }
            halves.newer.insert(hash)
            return true
        }
    }
}
