public import Foundation

/// Recognizes that the clock was set, by a clock that only runs. Pure: it reads neither.
///
/// Expired records that are deleted by a wrong clock are lost.
public struct ClockJumps: Sendable {
    /// The difference between the clocks that is no jump, in seconds: a clock that is adjusted gradually, or a late reading.
    public static let toleratedSeconds: TimeInterval = 300
    /// The time without a jump after which the clock is relied on, in seconds.
    public static let settlingSeconds: TimeInterval = 3600

    private var last: (time: Date, uptime: Duration)?
    private var jumpedAt: Duration?

    /// Creates a detector without a reading.
    public init() {}

    /// Notes a reading of both clocks.
    ///
    /// - Parameters:
    ///   - time: The clock that can be set.
    ///   - uptime: The time since any fixed moment, by a clock that cannot.
    /// - Returns: `true` if the clock has not jumped within the last hour, as far as readings show.
    public mutating func isSettled(at time: Date, uptime: Duration) -> Bool {
        if let last {
            let ran = (uptime - last.uptime) / .seconds(1)
            if abs(time.timeIntervalSince(last.time) - ran) > Self.toleratedSeconds { jumpedAt = uptime }
        }
        last = (time, uptime)
        guard let jumpedAt else { return true }
        return uptime - jumpedAt >= .seconds(Self.settlingSeconds)
    }
}
