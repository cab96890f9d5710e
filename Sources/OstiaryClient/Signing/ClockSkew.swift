import Foundation
import OstiaryContracts

/// How far the server's clock is ahead of this device's, as its answers tell.
struct ClockSkew: Hashable, Sendable {
    /// Negative if this device is ahead.
    private(set) var seconds: TimeInterval = 0

    /// What the server's clock says when this device's says `now`.
    func serverTime(at now: Date) -> Date { now + seconds }

    /// Learns from the `Date` of an answer. Source: RFC 9110 §6.6.1.
    ///
    /// The header is cut to a second and was written some time between the two moments; a skew that fits is kept.
    ///
    /// - Parameters:
    ///   - sentAt: By this device's clock.
    ///   - receivedAt: By this device's clock.
    mutating func learn(from response: WireResponse, sentAt: Date, receivedAt: Date) {
        // What comes out of a cache tells the time at which it went in.
        guard response.headers["age"] ?? "0" == "0",
            let date = response.headers["date"].flatMap({ HTTPDate($0) })?.date,
            Self.believable.contains(date), (0...Self.longestExchange).contains(receivedAt.timeIntervalSince(sentAt))
        else { return }
        let least = date.timeIntervalSince(receivedAt)
        let most = date.timeIntervalSince(sentAt) + 1
        if !(least...most).contains(seconds) { seconds = (least + most) / 2 }
    }

    /// Whether a signature that was refused by the one may be accepted by the other.
    func isNotablyOther(than other: ClockSkew) -> Bool { abs(seconds - other.seconds) > Self.notable }

    /// A clock that was never set says 1970. Nobody who runs this lives before its day, nor after this century.
    private static let believable =
        Date(timeIntervalSince1970: 1_735_689_600)...Date(timeIntervalSince1970: 4_102_444_800)
    /// An answer that took longer says too little; the device may have slept.
    private static let longestExchange: TimeInterval = 60
    /// A server takes signatures that are some minutes off.
    private static let notable: TimeInterval = 60
}
