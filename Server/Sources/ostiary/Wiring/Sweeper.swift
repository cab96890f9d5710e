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
            while !Task.isCancelled {
                let now = system.now()
                do {
                    let count = try await store.sweep(
                        at: now, endedBefore: now.addingTimeInterval(-Self.endedSessionSeconds),
                        auditBefore: now.addingTimeInterval(-Self.auditSeconds))
                    if count > 0 { log.debug("swept", metadata: ["rows": "\(count)"]) }
                } catch {
                    log.error("sweeping failed", metadata: ["error": "\(error)"])
                }
                do { try await Task.sleep(for: Self.interval) } catch { return }
            }
        }
    }
}
