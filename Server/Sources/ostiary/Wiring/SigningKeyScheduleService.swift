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
                let outcome = await schedule.run()
                for key in outcome.created {
                    log.notice(
                        "a signing key is published",
                        metadata: [
                            "app": "\(key.app)", "kid": "\(key.kid)",
                            "signs_from": "\(key.createdAt.formatted(.iso8601))",
                        ])
                }
                guard !Task.isCancelled else { return }
                for failure in outcome.failures {
                    log.error(
                        "signing keys cannot be rotated",
                        metadata: ["app": "\(failure.app)", "error": "\(failure.error)"])
                }
                do { try await Task.sleep(for: Self.interval) } catch { return }
            }
        }
    }
}
