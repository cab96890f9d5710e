import Foundation
import Logging
import OstiaryEngine
import OstiaryStore
import ServiceLifecycle
import Synchronization

/// The counts that a scrape must not wait for, because they are queries.
final class SampledCounts: Sendable {
    private let state = Mutex<(activeSessions: Int?, queuedMessages: Int?)>((nil, nil))

    /// Nil until the first count.
    var activeSessions: Int? { state.withLock { $0.activeSessions } }
    var queuedMessages: Int? { state.withLock { $0.queuedMessages } }

    func set(activeSessions: Int) { state.withLock { $0.activeSessions = activeSessions } }
    func set(queuedMessages: Int) { state.withLock { $0.queuedMessages = queuedMessages } }
}

/// Counts what ``SampledCounts`` holds: messages every 15 s, and sessions as often, but in at most a hundredth of the time.
struct CountSampler: Service {
    let store: any Store
    let system: SystemDependencies
    let sampled: SampledCounts
    let log: Logger

    private static let interval = Duration.seconds(15)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var nextCount = ContinuousClock.now
            while !Task.isCancelled {
                do {
                    sampled.set(queuedMessages: try await store.count())
                    if let observed = store as? any ObservedStore, nextCount <= .now {
                        let start = ContinuousClock.now
                        sampled.set(activeSessions: try await observed.activeSessionCount(at: system.now()))
                        nextCount = .now + (start.duration(to: .now)) * 100
                    }
                } catch {
                    log.debug("counting for metrics failed", metadata: ["error": "\(error)"])
                }
                do { try await Task.sleep(for: Self.interval) } catch { return }
            }
        }
    }
}
