import Foundation
import OstiaryAdmin

/// The end of an audit log that was read, from which it is followed.
///
/// Events become visible a little out of order: those of a slower transaction, and of a node whose clock is behind. A reading
/// begins before the end of the one before, and leaves out what was seen.
struct AuditTail {
    /// The account that is followed.
    var account: String?
    private var newest: Date?
    /// The times of the events that the next reading finds again, by the bytes of their ids.
    private var seen: [[UInt8]: Date] = [:]

    /// The time by which an event may become visible later than newer ones, in seconds.
    private static let overlap: TimeInterval = 5

    /// The time from which the next reading begins; nil for the first one.
    var start: Date? { newest?.addingTimeInterval(-Self.overlap) }

    /// Returns the events that were not seen before, in their order, and remembers them.
    mutating func take(_ events: [AdminAuditEvent]) -> [AdminAuditEvent] {
        let new = events.filter { seen.updateValue($0.at, forKey: Array($0.id.utf8)) == nil }
        newest = ([newest] + events.map(\.at)).compactMap(\.self).max()
        if let start { seen = seen.filter { $0.value >= start } }
        return new
    }
}
