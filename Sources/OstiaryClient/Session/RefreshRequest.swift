import OstiaryContracts
import OstiaryCore

/// The request of a refresh, and its repetitions with the same token within one budget of time.
struct RefreshRequest: Sendable {
    private let auth: RemoteAuth
    private let surroundings: ClientSurroundings
    /// The time just before the store is read, by ``ClientSurroundings/uptime``.
    private let startedAt: Duration

    init(auth: RemoteAuth, surroundings: ClientSurroundings, startedAt: Duration) {
        self.auth = auth
        self.surroundings = surroundings
        self.startedAt = startedAt
    }

    /// From reading the store to the last byte of the answer. The server answers an earlier refresh token for 30 s after its
    /// successor's first use, so a request that leaves well within that is never taken for theft.
    private static let budget: Duration = .seconds(15)
    /// Repetitions after a lost answer or a server error.
    private static let retries = 3

    private var remaining: Duration { Self.budget - (surroundings.uptime() - startedAt) }

    /// Asks the server, and again with the same token where that can help.
    nonisolated(nonsending) func send(_ token: Secret<String>) async -> (RefreshOutcome, requests: Int) {
        var outcome = RefreshOutcome(.timedOut)
        var requests = 0
        for attempt in 0...Self.retries {
            if case .retryLater = outcome {
                let wait = Duration.milliseconds(500 << attempt) * surroundings.randomFraction()
                guard remaining > wait, (try? await surroundings.sleep(wait)) != nil else { break }
            }
            guard remaining > .zero, !Task.isCancelled else { break }
            requests += 1
            do {
                let answer = try await auth.exchange(Refresh(refreshToken: token), within: remaining)
                outcome = RefreshOutcome(answer, of: auth.codec)
            } catch {
                switch error {
                case .refused(let refusal): outcome = .keep(.refused(refusal))
                case .unreachable(let error): outcome = RefreshOutcome(error)
                }
            }
            switch outcome {
            case .retryAtOnce, .retryLater: continue
            case .renewed, .over, .wait, .keep: return (outcome, requests)
            }
        }
        return (outcome, requests)
    }
}
