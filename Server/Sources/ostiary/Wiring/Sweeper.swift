import Foundation
import Logging
import OstiaryEngine
import ServiceLifecycle

/// Periodically deletes records that can no longer be used.
struct Sweeper: Service {
    let store: any StoreMaintenance
    let system: SystemDependencies
    let log: Logger

    private static let interval = Duration.seconds(600)
    /// The retention of ended sessions, so that a late use of a stolen refresh token is still recognized.
    private static let endedSessionSeconds: TimeInterval = 30 * 86_400
    private static let auditSeconds: TimeInterval = 400 * 86_400

    func run() async throws {
        await cancelWhenGracefulShutdown {
            let start = ContinuousClock.now
            var jumps = ClockJumps()
            while !Task.isCancelled {
                let now = system.now()
                if jumps.isSettled(at: now, uptime: start.duration(to: .now)) {
                    await sweep(at: now)
                } else {
                    log.warning("the clock was set: expired records are kept for an hour")
                }
                do { try await Task.sleep(for: Self.interval) } catch { return }
            }
        }
    }

    private func sweep(at now: Date) async {
        do {
            let count = try await store.sweep(
                at: now, endedBefore: now.addingTimeInterval(-Self.endedSessionSeconds),
                auditBefore: now.addingTimeInterval(-Self.auditSeconds))
            if count > 0 { log.debug("swept", metadata: ["rows": "\(count)"]) }
        } catch {
            // The end of the server ends the sweep. The next start continues it.
            guard !Task.isCancelled else { return }
            log.error("sweeping failed", metadata: ["error": "\(error)"])
        }
    }
}
