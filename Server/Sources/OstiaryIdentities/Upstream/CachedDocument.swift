import Foundation
import OstiaryEngine
import Synchronization

/// What a provider publishes and we keep for a while: its metadata, its keys.
///
/// Fetched again when it is an hour old. While that fails, the old one serves until it is a day old; then nothing does,
/// because keys that were given up meanwhile must not be trusted for ever.
final class CachedDocument<Value: Sendable>: Sendable {
    private let surroundings: Surroundings
    private let fetch: @Sendable () async throws -> Value
    private let flight = SingleFlight<Value>()
    private let state = Mutex(State())

    private struct State {
        var known: (value: Value, at: Date)?
        var failedAt: Date?
        var demandedAt: Date?
    }

    init(surroundings: Surroundings, fetch: @escaping @Sendable () async throws -> Value) {
        self.surroundings = surroundings
        self.fetch = fetch
    }

    /// The document.
    ///
    /// - Parameter isDemanded: The known one lacks something: fetch it even if it is fresh, but not more often than made-up
    ///   demands may make us.
    /// - Throws: What `fetch` throws, if nothing usable is known; `CancellationError`.
    func value(isDemanded: Bool = false) async throws -> Value {
        let now = surroundings.now()
        let usable: Value? = state.withLock { state in
            guard let known = state.known, Self.within(CacheLifetimes.hardSeconds, known.at, now) else { return nil }
            return known.value
        }
        guard let usable else { return try await refetched() }
        guard mayFetch(isDemanded: isDemanded, at: now) else { return usable }
        do {
            if isDemanded { return try await refetched() }
            return try await withDeadline(CacheLifetimes.patience, orThrow: SlowDocument()) {
                try await self.refetched()
            }
        } catch {
            try Task.checkCancellation()
            return usable
        }
    }

    private func mayFetch(isDemanded: Bool, at now: Date) -> Bool {
        let isRunning = flight.isRunning
        return state.withLock { state in
            let isFresh = state.known.map { Self.within(CacheLifetimes.softSeconds, $0.at, now) } ?? false
            if isFresh, !isDemanded { return false }
            // Whatever pause there is, who comes while a fetch is under way has its result for nothing.
            if isRunning { return true }
            if let failedAt = state.failedAt, Self.within(CacheLifetimes.pauseSeconds, failedAt, now) { return false }
            guard isFresh else { return true }
            if let last = state.demandedAt, Self.within(CacheLifetimes.pauseSeconds, last, now) { return false }
            state.demandedAt = now
            return true
        }
    }

    private func refetched() async throws -> Value {
        try await flight.run { [self] in
            do {
                let value = try await fetch()
                let now = surroundings.now()
                state.withLock { state in
                    state.known = (value, now)
                    state.failedAt = nil
                }
                return value
            } catch {
                let now = surroundings.now()
                state.withLock { $0.failedAt = now }
                throw error
            }
        }
    }

    /// Also false for a clock that was set back by more than that.
    private static func within(_ seconds: TimeInterval, _ then: Date, _ now: Date) -> Bool {
        abs(now.timeIntervalSince(then)) < seconds
    }
}

enum CacheLifetimes {
    /// From this age on it is fetched again.
    static let softSeconds: TimeInterval = 3600
    /// From this age on it is not used.
    static let hardSeconds: TimeInterval = 86_400
    /// Between two fetches that found nothing better.
    static let pauseSeconds: TimeInterval = 30
    /// How long anybody waits for a newer one who has one that will do. The fetch goes on without them.
    static let patience: Duration = .seconds(1)
}

private struct SlowDocument: Error {}
