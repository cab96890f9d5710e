import Foundation
import OstiaryEngine
import Synchronization

/// A cached document of a provider: its metadata or its keys.
///
/// Refetched when it is an hour old. While that fails, the stale document is used until it is a day old; after that it
/// is not used at all, because withdrawn keys must not stay trusted.
final class CachedDocument<Value: Sendable>: Sendable {
    private let system: SystemDependencies
    private let fetch: @Sendable () async throws -> Value
    private let flight = SingleFlight<Flight, Value>()
    private let state = Mutex(State())

    private enum Flight { case fetch }

    private struct State {
        var known: (value: Value, at: Date)?
        var failedAt: Date?
        var demandedAt: Date?
    }

    init(system: SystemDependencies, fetch: @escaping @Sendable () async throws -> Value) {
        self.system = system
        self.fetch = fetch
    }

    /// Returns the document.
    ///
    /// - Parameter isDemanded: `true` if the cached document lacks an entry: refetches it even if it is fresh, but at a
    ///   limited rate, because demands can be forged.
    /// - Throws: The error of `fetch`, if no usable document is cached; `CancellationError`.
    func value(isDemanded: Bool = false) async throws -> Value {
        let now = system.now()
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
        let isRunning = flight.isRunning(.fetch)
        return state.withLock { state in
            let isFresh = state.known.map { Self.within(CacheLifetimes.softSeconds, $0.at, now) } ?? false
            if isFresh, !isDemanded { return false }
            // A caller that arrives while a fetch is in progress joins it at no cost, regardless of the pause.
            if isRunning { return true }
            if let failedAt = state.failedAt, Self.within(CacheLifetimes.pauseSeconds, failedAt, now) { return false }
            guard isFresh else { return true }
            if let last = state.demandedAt, Self.within(CacheLifetimes.pauseSeconds, last, now) { return false }
            state.demandedAt = now
            return true
        }
    }

    private func refetched() async throws -> Value {
        try await flight.run(.fetch) { [self] in
            do {
                let value = try await fetch()
                let now = system.now()
                state.withLock { state in
                    state.known = (value, now)
                    state.failedAt = nil
                }
                return value
            } catch {
                let now = system.now()
                state.withLock { $0.failedAt = now }
                throw error
            }
        }.value
    }

    /// Returns `true` if the two times are less than `seconds` apart; `false` also for a clock that was set back by
    /// more than that.
    private static func within(_ seconds: TimeInterval, _ then: Date, _ now: Date) -> Bool {
        abs(now.timeIntervalSince(then)) < seconds
    }
}

enum CacheLifetimes {
    /// The age from which on the document is refetched, in seconds.
    static let softSeconds: TimeInterval = 3600
    /// The age from which on the document is not used, in seconds.
    static let hardSeconds: TimeInterval = 86_400
    /// The minimum interval after a failed fetch, and between two demanded ones, in seconds.
    static let pauseSeconds: TimeInterval = 30
    /// The time that a caller with a usable document waits for a newer one. The fetch continues without the caller.
    static let patience: Duration = .seconds(1)
}

private struct SlowDocument: Error {}
