import Foundation
import OstiaryClient
import Synchronization

/// A clock that stands still until it is moved. Sleeping moves it.
final class TestTime: Sendable {
    static let start = Date(timeIntervalSince1970: 1_800_000_000)

    private let elapsed = Mutex(Duration.zero)
    private let slept = Mutex<[Duration]>([])

    var now: Date { Self.start + Double(elapsed.withLock { $0 }.components.seconds) }
    var sleeps: [Duration] { slept.withLock { $0 } }

    func pass(_ duration: Duration) { elapsed.withLock { $0 += duration } }

    /// Waiting times are at their longest.
    var surroundings: ClientSurroundings {
        ClientSurroundings(
            now: { self.now }, uptime: { self.elapsed.withLock { $0 } },
            sleep: { duration in
                self.slept.withLock { $0.append(duration) }
                self.pass(duration)
            },
            randomFraction: { 1 })
    }
}
