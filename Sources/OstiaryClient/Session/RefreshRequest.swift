import OstiaryContracts
import OstiaryCore

/// The request of a refresh, with its retries of the same token within one time budget.
struct RefreshRequest: Sendable {
    private let auth: RemoteAuth
    private let system: ClientDependencies
    /// The time just before the store is read, by ``ClientDependencies/uptime``.
    private let startedAt: Duration

    init(auth: RemoteAuth, system: ClientDependencies, startedAt: Duration) {
        self.auth = auth
        self.system = system
        self.startedAt = startedAt
    }

    /// The time from reading the store to the last byte of the response. The server accepts a superseded refresh token
    /// for 30 s after its successor's first use, so a request that is sent well within that is never taken for token
    /// theft.
    private static let budget: Duration = .seconds(15)
    /// The number of retries after a lost response or a server error.
    private static let retries = 3

    private var remaining: Duration { Self.budget - (system.uptime() - startedAt) }

    /// Sends the request, and retries with the same token where that can help.
    ///
    /// - Parameter key: The key that the token is bound to; `nil` for one that is not bound.
    nonisolated(nonsending) func send(
        _ token: Secret<String>, provenBy key: SessionKey?
    ) async -> (RefreshOutcome, requests: Int) {
        var outcome = RefreshOutcome(.timedOut)
        var requests = 0
        for attempt in 0...Self.retries {
            if case .retryLater = outcome {
                let wait = Duration.milliseconds(500 << attempt) * system.randomFraction()
                guard remaining > wait, (try? await system.sleep(wait)) != nil else { break }
            }
            guard remaining > .zero, !Task.isCancelled else { break }
            requests += 1
            do {
                let answer = try await auth.exchange(
                    Refresh(refreshToken: token), within: remaining, proof: key.map { .session($0) }
                ).response
                outcome = RefreshOutcome(answer, of: auth.codec)
            } catch {
                switch error {
                // The key is lost, without which no server accepts the token.
                case .refused(.dpopRequired): outcome = .over(.dpopRequired)
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
