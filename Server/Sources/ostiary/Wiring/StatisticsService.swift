import Logging
import OstiaryEngine
import ServiceLifecycle

/// Counts new audit events for the statistics every ten seconds.
struct StatisticsService: Service {
    let rollUp: StatisticsRollUp
    let log: Logger

    private static let interval = Duration.seconds(10)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var hasFailed = false
            while !Task.isCancelled {
                do {
                    try await rollUp.run()
                    hasFailed = false
                } catch is CancellationError {
                    return
                } catch {
                    // Logged once per outage. Nothing is lost: the next run continues at the same event.
                    if !hasFailed { log.error("statistics cannot be counted", metadata: ["error": "\(error)"]) }
                    hasFailed = true
                }
                do { try await Task.sleep(for: Self.interval) } catch { return }
            }
        }
    }
}
