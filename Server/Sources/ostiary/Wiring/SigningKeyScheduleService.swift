import Foundation
import Logging
import OstiaryEngine
import ServiceLifecycle

/// Looks once an hour for signing keys that are due.
struct SigningKeyScheduleService: Service {
    let schedule: SigningKeySchedule
    let log: Logger

    private static let interval = Duration.seconds(3600)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    for key in try await schedule.run() {
                        log.notice(
                            "a signing key is published",
                            metadata: [
                                "app": "\(key.app)", "kid": "\(key.kid)",
                                "signs_from": "\(key.createdAt.formatted(.iso8601))",
                            ])
                    }
                } catch is CancellationError {
                    return
                } catch {
                    log.error("signing keys cannot be rotated", metadata: ["error": "\(error)"])
                }
                do { try await Task.sleep(for: Self.interval) } catch { return }
            }
        }
    }
}
