import Synchronization

/// The servers of the settings, of which only one at a time accepts writes.
final class Servers: Sendable {
    private struct State {
        /// The index of the server that accepted a connection last.
        var preferred = 0
        var patience = Servers.patience.lowerBound
    }

    /// The time limit of a connection attempt to one server: short, so that the next one is tried soon; doubled where
    /// all of them are silent, which may be slow rather than down.
    private static let patience = Duration.seconds(1)...Duration.seconds(4)

    private let settings: PostgresSettings
    private let state = Mutex(State())

    init(_ settings: PostgresSettings) { self.settings = settings }

    /// Tries the servers one after the other, beginning with the one that accepted a connection last.
    func connect() async throws(PostgresError.Unreachable) -> PostgresConnection {
        let (first, patience) = state.withLock { ($0.preferred, $0.patience) }
        var reason: PostgresError.Unreachable?
        var areSilent = true
        for offset in settings.servers.indices {
            let index = (first + offset) % settings.servers.count
            let asked = ContinuousClock.now
            do throws(PostgresError.Unreachable) {
                let connection = try await ConnectionEstablishment.connect(
                    settings.servers[index], prepares: !settings.hasTransactionPooler, within: patience)
                state.withLock { $0 = State(preferred: index) }
                return connection
            } catch {
                areSilent = areSilent && asked.duration(to: .now) >= patience
                if reason.map(error.isMoreSpecific(than:)) ?? true { reason = error }
            }
        }
        let next = areSilent ? min(patience * 2, Self.patience.upperBound) : Self.patience.lowerBound
        state.withLock { $0.patience = next }
        throw reason ?? .noServer("no server is configured")
    }
}

extension PostgresError.Unreachable {
    /// Returns `true` if the reason is more informative: one that an operator has to fix is more informative than an
    /// unavailable server.
    fileprivate func isMoreSpecific(than other: Self) -> Bool {
        if isPassing != other.isPassing { return !isPassing }
        if case .noServer = other { return true }
        return false
    }
}
