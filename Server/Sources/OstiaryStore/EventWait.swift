import Foundation
import OstiaryEngine

/// The time for which a delivery waits for an earlier one of its account before it is examined again.
enum EventWait {
    /// The number of due deliveries that are read at once after all of a first few waited for others: as many as one short write
    /// postpones, so that those of one account delay no other claim for long.
    static func examined(limit: Int) -> Int { max(limit, 64) }

    /// At most five minutes, because the earlier one may be finished by hand; at least a second, because it may be in progress.
    static func end(blockedUntil: Int64, at now: Date) -> Int64 {
        max(now.milliseconds + 1000, min(blockedUntil, now.milliseconds + 300_000))
    }
}
