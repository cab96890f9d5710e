import Foundation
import OstiaryContracts

/// The offset of the server's clock from this device's, learned from its answers.
struct ClockSkew: Hashable, Sendable {
    /// The offset in seconds; negative if this device is ahead.
    private(set) var seconds: TimeInterval = 0

    /// Returns the server's time when this device's clock shows `now`.
    func serverTime(at now: Date) -> Date { now + seconds }

    /// Updates the offset from the `Date` of an answer. Source: RFC 9110 §6.6.1.
    ///
    /// The header has a resolution of one second and was written between the two moments; an offset that fits is kept.
    ///
    /// - Parameters:
    ///   - sentAt: The time of sending by this device's clock.
    ///   - receivedAt: The time of receipt by this device's clock.
    mutating func update(from response: WireResponse, sentAt: Date, receivedAt: Date) {
        // An answer from a cache has the time at which it was stored.
        guard response.headers["age"] ?? "0" == "0",
            let date = response.headers["date"].flatMap({ HTTPDate($0) })?.date,
            Self.believable.contains(date), (0...Self.longestExchange).contains(receivedAt.timeIntervalSince(sentAt))
        else { return }
        let least = date.timeIntervalSince(receivedAt)
        let most = date.timeIntervalSince(sentAt) + 1
        if !(least...most).contains(seconds) { seconds = (least + most) / 2 }
    }

    /// Returns `true` if a signature rejected under one offset may be accepted under the other.
    func differsNotably(than other: ClockSkew) -> Bool { abs(seconds - other.seconds) > Self.notable }

    /// The range of plausible times, from 2025 to the end of the century. A clock that was never set shows 1970.
    private static let believable =
        Date(timeIntervalSince1970: 1_735_689_600)...Date(timeIntervalSince1970: 4_102_444_800)
    /// The longest exchange in seconds that is used: a longer one is too imprecise, and the device may have slept.
    private static let longestExchange: TimeInterval = 60
    /// The difference in seconds that matters: a server accepts signatures that are a few minutes off.
    private static let notable: TimeInterval = 60
}
