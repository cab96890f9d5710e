import Logging
import OstiaryEngine
import Synchronization

/// The readiness of the store, which is checked at most once a second, however many callers ask: they are not authenticated.
final class ReadinessCheck: Sendable {
    private enum Key { case store }

    private struct Outcome {
        var isReady: Bool
        var at: ContinuousClock.Instant
    }

    private let store: any StoreMaintenance
    private let log: Logger
    private let now: @Sendable () -> ContinuousClock.Instant
    private let checks = SingleFlight<Key, Bool>()
    private let last = Mutex<Outcome?>(nil)

    private static let lifetime = Duration.seconds(1)

    init(
        of store: any StoreMaintenance, log: Logger, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.store = store
        self.log = log
        self.now = now
    }

    /// Returns `true` if the store is ready. Concurrent callers await the same check, whose outcome is valid for a second. A change
    /// is logged.
    func isReady() async -> Bool {
        if let recent { return recent }
        // Throws only to a caller that is cancelled, whose answer is not sent.
        return (try? await checks.run(.store) { await self.check() }.value) ?? false
    }

    /// The outcome of the last check; nil if it is older than a second.
    private var recent: Bool? {
        last.withLock { last in
            last.flatMap { $0.at.duration(to: now()) < Self.lifetime ? $0.isReady : nil }
        }
    }

    private func check() async -> Bool {
        // Another check may have ended since the caller looked.
        if let recent { return recent }
        do {
            try await store.checkReadiness()
            if !record(true) { log.notice("ready again") }
            return true
        } catch {
            if record(false) { log.error("not ready", metadata: ["error": "\(error)"]) }
            return false
        }
    }

    /// Records an outcome and returns the one before; `true` if there is none.
    private func record(_ isReady: Bool) -> Bool {
        last.withLock { last in
            let wasReady = last?.isReady ?? true
            last = Outcome(isReady: isReady, at: now())
            return wasReady
        }
    }
}
